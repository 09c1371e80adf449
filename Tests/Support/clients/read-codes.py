# SPDX-License-Identifier: Apache-2.0
# Gives pictures to tintype-codes, the path of which is the second argument; the first is the name of a function.
import json, random, re, subprocess, sys, tempfile, time
from PIL import Image, ImageDraw, ImageFilter

def read(reader, size, luma):
    "The codes in a picture; fails unless the reader ends well and writes one line."
    outcome = subprocess.run([reader], input=b"%d %d\n" % size + luma, capture_output=True, env={}, check=True)
    assert outcome.stdout.count(b"\n") == 1, outcome
    return json.loads(outcome.stdout)["codes"]

def printed(folder):
    "Twenty grey pictures, as of labels before a camera: name, text and picture."
    labels = []
    for index, text in enumerate(["https://example.org/a?b=c", "TINTYPE 42", "x" * 150, "4006381333931", "Lager 7"]):
        path = f"{folder}/{index}.png"
        if index < 3:
            subprocess.run(["qrencode", "-s", "5", "-o", path, text], check=True)
        else:
            # EAN-13 and Code 128.
            subprocess.run(["zint", "--barcode", ["13", "20"][index - 3], "--notext", "--scale", "2", "-w", "12",
                            "-o", path, "-d", text], check=True)
        labels.append((text, Image.open(path).convert("RGBA").convert("L")))
    views = [("plain", 0, 0, 1.0), ("rotated", 20, 0, 1.0), ("blurred", 90, 1.2, 1.0), ("small", 3, 0.3, 0.6)]
    for text, label in labels:
        for name, angle, blur, scale in views:
            page = Image.new("L", (900, 700), 205)
            ImageDraw.Draw(page).text((30, 30), "Not a code: |||| || ||| |", fill=40)
            small = label.resize([int(side * scale) for side in label.size], Image.LANCZOS)
            turned = small.rotate(angle, Image.BICUBIC, expand=True, fillcolor=250)
            page.paste(turned, (150, 120))
            noise = random.Random(f"{text} {name}")
            page = page.filter(ImageFilter.GaussianBlur(blur))
            yield name, text, page.point([max(0, min(255, 30 + value * 3 // 4 + noise.randint(-2, 2))) for value in range(256)])

def foreign(folder):
    "QR codes whose texts libzbar converts from other encodings: ISO 8859-1, Shift JIS, UTF-8, and two by their numbers (ECI)."
    for name, text, encoding, options in [("latin", "caf\u00e9", "latin-1", "-8"), ("kanji", "\u65e5\u672c\u8a9e", "sjis", "-k"),
                                          ("plain", "\u65e5\u672c\u8a9e", "utf-8", "-8")]:
        subprocess.run(["qrencode", options, "-s", "6", "-o", f"{folder}/{name}.png"], input=text.encode(encoding), check=True)
        yield name, text
    for number, text in [("9", "\u0395\u03bb\u03bb\u03ac\u03b4\u03b1"), ("28", "\u6f22\u5b57")]:
        subprocess.run(["zint", "--barcode", "58", "--eci", number, "--scale", "3", "-w", "12", "-o", f"{folder}/{number}.png",
                        "-d", text], check=True)
        yield number, text

def compare(reader):
    "Reads printed labels, as zbarimg does; prints how many were read."
    found = 0
    with tempfile.TemporaryDirectory() as folder:
        for name, text, page in printed(folder):
            page.save(f"{folder}/page.png")
            other = subprocess.run(["zbarimg", "-q", f"{folder}/page.png"], capture_output=True, text=True).stdout
            codes = read(reader, page.size, page.tobytes())
            assert {f"{code['kind']}:{code['text']}" for code in codes} == set(other.splitlines()), (name, text, codes, other)
            if any(code["text"] == text for code in codes):
                found += 1
                place = next(code for code in codes if code["text"] == text)
                assert 100 < place["left"] and place["left"] + place["width"] < 800, place
            else:
                print(f"neither reads {name}: {text}", file=sys.stderr)
        for name, text in foreign(folder):
            page = Image.open(f"{folder}/{name}.png").convert("RGBA").convert("L")
            assert [code["text"] for code in read(reader, page.size, page.tobytes())] == [text], (name, text)
    return found

def confined(reader):
    "What limits the reader while it waits for a picture: its filter of calls, its memory in MiB, its open files."
    with subprocess.Popen([reader], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env={}) as process:
        process.stdin.write(b"8 8\n")
        process.stdin.flush()
        status = lambda: open(f"/proc/{process.pid}/status").read()
        while "\nSeccomp:\t2" not in status():
            assert process.poll() is None
            time.sleep(0.001)
        limits = dict(re.findall("(.*?)  +(\\S+)", open(f"/proc/{process.pid}/limits").read()))
        print(re.search("NoNewPrivs:\\t(.)", status())[1], int(limits["Max address space"]) >> 20,
              limits["Max core file size"], limits["Max cpu time"])
        process.stdin.write(bytes(64))
        process.stdin.close()
        assert json.loads(process.stdout.read()) == {"codes": []}
    return process.wait()

def noise(reader, count, seed):
    "Reads random pictures: of noise, of bars, and of labels with noise in them; prints how many."
    source = random.Random(int(seed))
    with tempfile.TemporaryDirectory() as folder:
        labels = [page for _, _, page in printed(folder)]
    for index in range(int(count)):
        size = (source.randint(1, 400), source.randint(1, 300))
        if index % 3 == 0:
            luma = source.randbytes(size[0] * size[1])
        elif index % 3 == 1:
            luma = bytes(source.choice([0, 255]) for _ in range(size[0])) * size[1]
        else:
            page = source.choice(labels).crop((150, 120, 150 + size[0], 120 + size[1]))
            luma = bytes(value ^ source.choice([0, 0, 0, 255]) if source.random() < 0.02 else value for value in page.tobytes())
        read(reader, size, luma)
    return count

print(globals()[sys.argv[1]](*sys.argv[2:]))
