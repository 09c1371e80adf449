// SPDX-License-Identifier: Apache-2.0
// The bytes of the files that the daemon serves from itself. `#embed` (C23) takes the compiler no time, where an array literal
// of the same bytes in Swift takes minutes; a file that has changed is compiled again, since #embed is a dependency as #include is.
#include "CPage.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char index_html[] = {
#embed "page/index.html"
};
static const unsigned char api_js[] = {
#embed "page/api.js"
};
static const unsigned char camera_js[] = {
#embed "page/camera.js"
};
static const unsigned char controls_js[] = {
#embed "page/controls.js"
};
static const unsigned char dom_js[] = {
#embed "page/dom.js"
};
static const unsigned char episodes_js[] = {
#embed "page/episodes.js"
};
static const unsigned char events_css[] = {
#embed "page/events.css"
};
static const unsigned char events_js[] = {
#embed "page/events.js"
};
static const unsigned char feed_js[] = {
#embed "page/feed.js"
};
static const unsigned char filter_js[] = {
#embed "page/filter.js"
};
static const unsigned char frame_js[] = {
#embed "page/frame.js"
};
static const unsigned char frames_js[] = {
#embed "page/frames.js"
};
static const unsigned char grid_js[] = {
#embed "page/grid.js"
};
static const unsigned char icon_svg[] = {
#embed "page/icon.svg"
};
static const unsigned char live_css[] = {
#embed "page/live.css"
};
static const unsigned char live_js[] = {
#embed "page/live.js"
};
static const unsigned char main_js[] = {
#embed "page/main.js"
};
static const unsigned char screen_js[] = {
#embed "page/screen.js"
};
static const unsigned char side_js[] = {
#embed "page/side.js"
};
static const unsigned char spool_css[] = {
#embed "page/spool.css"
};
static const unsigned char spool_js[] = {
#embed "page/spool.js"
};
static const unsigned char style_css[] = {
#embed "page/style.css"
};
static const unsigned char times_js[] = {
#embed "page/times.js"
};
static const unsigned char viewer_js[] = {
#embed "page/viewer.js"
};

#define FILE_OF(name, array) {name, array, sizeof array}
const struct cpage_file cpage_index = FILE_OF("index.html", index_html);

static const struct cpage_file files[] = {
    FILE_OF("api.js", api_js),
    FILE_OF("camera.js", camera_js),
    FILE_OF("controls.js", controls_js),
    FILE_OF("dom.js", dom_js),
    FILE_OF("episodes.js", episodes_js),
    FILE_OF("events.css", events_css),
    FILE_OF("events.js", events_js),
    FILE_OF("feed.js", feed_js),
    FILE_OF("filter.js", filter_js),
    FILE_OF("frame.js", frame_js),
    FILE_OF("frames.js", frames_js),
    FILE_OF("grid.js", grid_js),
    FILE_OF("icon.svg", icon_svg),
    FILE_OF("live.css", live_css),
    FILE_OF("live.js", live_js),
    FILE_OF("main.js", main_js),
    FILE_OF("screen.js", screen_js),
    FILE_OF("side.js", side_js),
    FILE_OF("spool.css", spool_css),
    FILE_OF("spool.js", spool_js),
    FILE_OF("style.css", style_css),
    FILE_OF("times.js", times_js),
    FILE_OF("viewer.js", viewer_js),
};
const struct cpage_file *const cpage_files = files;
const size_t cpage_file_count = sizeof files / sizeof *files;
