#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""What the proofs of the spool share: a judge who looks at its files and into its catalog, from outside."""
import dataclasses
import hashlib
import os
import sqlite3
import sys
import time
import uuid

from PIL import Image

# The folders and files of the spool itself; everything else in it is a camera's.
OWN = (".incoming", ".quarantine", ".lock", "catalog.sqlite")


@dataclasses.dataclass
class Still:
    """A picture as it was answered."""

    id: str
    path: str
    sha256: str
    durability: str = "full"


@dataclasses.dataclass
class Row:
    """A picture as the catalog has it."""

    id: str
    path: str
    sha256: str
    is_lost: bool
    is_pinned: bool
    source: str


@dataclasses.dataclass
class Found:
    """What is in a spool at one moment."""

    files: dict  # sha256 by path, of all pictures under a final name
    rows: dict  # Row by id
    torn: list  # paths of those pictures that do not decode to their end
    incoming: list
    quarantine: list
    tombstones: set  # paths
    latest: dict  # by camera: None where its latest.jpg leads nowhere or is not whole, else where it leads

    @property
    def unlisted(self):
        return set(self.files) - {row.path for row in self.rows.values() if not row.is_lost}

    @property
    def without_file(self):
        return {row.path for row in self.rows.values() if not row.is_lost} - set(self.files)


class Judge:
    """Looks at one spool again and again; remembers what it has seen of files that have not changed since."""

    def __init__(self, spool):
        self.spool = spool
        self.sums, self.whole = {}, {}

    def look(self):
        found = Found({}, {}, [], self.names(".incoming"), self.names(".quarantine"), set(), {})
        for folder, folders, names in os.walk(self.spool):
            if folder == self.spool:
                folders[:] = [name for name in folders if name not in OWN]
                continue
            for name in names:
                path = os.path.join(folder, name)
                short = os.path.relpath(path, self.spool)
                if short.count("/") == 1 and name == "latest.jpg":
                    found.latest[short.split("/")[0]] = self.leads_to(path)
                elif name.endswith(".jpg") and not os.path.islink(path):
                    found.files[short] = self.sum(path)
                    if not self.is_whole(path, found.files[short]):
                        found.torn.append(short)
        self.read_catalog(found)
        return found

    def read_catalog(self, found):
        path = f"{self.spool}/catalog.sqlite"
        if not os.path.exists(path):
            return
        catalog = sqlite3.connect(f"file:{path}?mode=ro", uri=True, timeout=10)
        try:
            tables = {name for name, in catalog.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
            if "frame" not in tables:
                return
            columns = {row[1] for row in catalog.execute("PRAGMA table_info(frame)")}
            wanted = [name if name in columns else "0" for name in ("id", "path", "sha256", "isLost", "pinned", "source")]
            catalog.execute("BEGIN")
            for id, path, sha256, is_lost, is_pinned, source in catalog.execute(f"SELECT {', '.join(wanted)} FROM frame"):
                id, sha256 = str(uuid.UUID(bytes=id)), sha256.hex()
                found.rows[id] = Row(id, path, sha256, bool(is_lost), bool(is_pinned), source)
            if "tombstone" in tables:
                found.tombstones = {path for path, in catalog.execute("SELECT path FROM tombstone")}
        finally:
            catalog.close()

    def objections(self, found, stored=(), gone=(), losable=frozenset(), copied=frozenset()):
        """What is wrong, as sentences: with the agreement of folder and catalog, with the `stored` stills that have to
        be there, and with those that are `gone`. Rows may be marked lost only if their id is in `losable`; pictures whose
        sha256 is in `copied` may be there under another name."""
        rows = {row.path: row for row in found.rows.values() if not row.is_lost}
        for path in found.torn:
            yield f"not whole under its final name: {path}"
        for path in sorted(found.unlisted):
            yield f"a file without a row: {path}"
        for path in sorted(found.without_file):
            yield f"a row without a file: {path}"
        for path, sha256 in found.files.items():
            if path in rows and rows[path].sha256 != sha256:
                yield f"other bytes than its row says: {path}"
            if path in found.tombstones:
                yield f"there in spite of its tombstone: {path}"
        for row in found.rows.values():
            if row.is_lost and row.id not in losable:
                yield f"marked lost: {row.id} {row.path}"
        for name in found.incoming:
            yield f"left in .incoming: {name}"
        for camera in {path.split("/")[0] for path in found.files}:
            if found.latest.get(camera) is None:
                yield f"latest.jpg of {camera} shows no whole picture, and it has some"
        for still in stored:
            row = found.rows.get(still.id)
            if row is None or row.is_lost:
                yield f"answered ({still.durability}) and without a row: {still.id} {still.path}"
            elif (row.path, row.sha256) != (still.path, still.sha256):
                yield f"answered ({still.durability}) and another in the catalog: {still.id} {still.path}, there {row.path}"
            elif row.source == "reconcile":
                yield f"answered ({still.durability}) and its row lost, and made anew from its file: {still.id} {still.path}"
            if found.files.get(still.path) != still.sha256:
                yield f"answered ({still.durability}) and without its file: {still.id} {still.path}"
        kept = copied | {still.sha256 for still in stored}
        sums = set(found.files.values())
        for still in gone:
            if still.id in found.rows:
                yield f"deleted, and its row is back: {still.id} {still.path}"
            if found.files.get(still.path) == still.sha256 or (still.sha256 in sums and still.sha256 not in kept):
                yield f"deleted, and its picture is back: {still.id} {still.path}"

    def lasting(self, patience, *arguments, **options):
        """The objections that do not go away within `patience` seconds, and what was found at last."""
        end = time.monotonic() + patience
        while True:
            found = self.look()
            wrong = list(self.objections(found, *arguments, **options))
            if not wrong or time.monotonic() > end:
                return wrong, found
            time.sleep(0.05)

    def names(self, folder):
        try:
            return sorted(os.listdir(f"{self.spool}/{folder}"))
        except FileNotFoundError:
            return []

    def leads_to(self, path):
        try:
            return os.path.relpath(os.path.realpath(path), self.spool) if self.is_whole(path, self.sum(path)) else None
        except FileNotFoundError:
            return None

    def sum(self, path):
        try:
            status = os.stat(path)
            key = (path, status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns)
            if key not in self.sums:
                with open(path, "rb") as file:
                    self.sums[key] = hashlib.sha256(file.read()).hexdigest()
            return self.sums[key]
        except FileNotFoundError:  # Deleted while we looked.
            return None

    def is_whole(self, path, sha256):
        if sha256 not in self.whole:
            try:
                with Image.open(path) as picture:
                    picture.load()
                with open(path, "rb") as file:
                    # Pillow does not miss the end of a picture whose last codes it can make up.
                    self.whole[sha256] = file.read().endswith(b"\xff\xd9")
            except (OSError, SyntaxError):  # What Pillow throws for broken pictures.
                self.whole[sha256] = False
        return self.whole[sha256]


def main():
    """judge SPOOL...: prints what is wrong with spools at rest; exit status 1 if anything is."""
    wrong = [f"{judge.spool}: {sentence}" for judge in map(Judge, sys.argv[1:]) for sentence in judge.objections(judge.look())]
    print("\n".join(wrong))
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
