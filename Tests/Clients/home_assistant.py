# SPDX-License-Identifier: Apache-2.0
"""home_assistant.py OPTIONS

The MJPEG camera of Home Assistant with these options (JSON). Prints the hexadecimal digits of its still, and of ten pictures of
the stream that it passes on to a browser, as JSON.
"""
import asyncio
import json
import sys

import aiohttp
from aiohttp import web
from homeassistant.components.mjpeg.camera import MjpegCamera
from homeassistant.core import CoreState, HomeAssistant


async def pictures(options):
    camera = MjpegCamera(name="front", authentication="basic", **options)
    camera.hass = HomeAssistant(".")
    camera.hass.set_state(CoreState.running)
    still = await camera.async_camera_image()
    application = web.Application()
    application.router.add_get("/", camera.handle_async_mjpeg_stream)
    runner = web.AppRunner(application)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    address = f"http://127.0.0.1:{runner.addresses[0][1]}/"
    async with aiohttp.ClientSession() as session, session.get(address) as reply:
        reader = aiohttp.MultipartReader.from_response(reply)
        streamed = [await (await reader.next()).read() for _ in range(10)]
    await runner.cleanup()
    return still.hex(), [picture.hex() for picture in streamed]


print(json.dumps(asyncio.run(pictures(json.loads(sys.argv[1])))))
