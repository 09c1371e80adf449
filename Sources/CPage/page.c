// SPDX-License-Identifier: Apache-2.0
// The bytes of the files that the daemon serves from itself. `#embed` (C23) takes the compiler no time, where an array literal
// of the same bytes in Swift takes minutes; a file that has changed is compiled again, since #embed is a dependency as #include is.
#include "CPage.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char index_html[] = {
#embed "page/index.html"
};
static const unsigned char access_js[] = {
#embed "page/access.js"
};
static const unsigned char api_js[] = {
#embed "page/api.js"
};
static const unsigned char calendar_js[] = {
#embed "page/calendar.js"
};
static const unsigned char confirm_js[] = {
#embed "page/confirm.js"
};
static const unsigned char control_js[] = {
#embed "page/control.js"
};
static const unsigned char controls_js[] = {
#embed "page/controls.js"
};
static const unsigned char details_js[] = {
#embed "page/details.js"
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
static const unsigned char format_js[] = {
#embed "page/format.js"
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
static const unsigned char health_js[] = {
#embed "page/health.js"
};
static const unsigned char hooks_js[] = {
#embed "page/hooks.js"
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
static const unsigned char login_js[] = {
#embed "page/login.js"
};
static const unsigned char main_js[] = {
#embed "page/main.js"
};
static const unsigned char screen_js[] = {
#embed "page/screen.js"
};
static const unsigned char source_js[] = {
#embed "page/source.js"
};
static const unsigned char spool_css[] = {
#embed "page/spool.css"
};
static const unsigned char spool_js[] = {
#embed "page/spool.js"
};
static const unsigned char states_js[] = {
#embed "page/states.js"
};
static const unsigned char style_css[] = {
#embed "page/style.css"
};
static const unsigned char timeline_js[] = {
#embed "page/timeline.js"
};
static const unsigned char viewer_js[] = {
#embed "page/viewer.js"
};
static const unsigned char zoom_js[] = {
#embed "page/zoom.js"
};

#define FILE_OF(name, array) {name, array, sizeof array}
const struct cpage_file cpage_index = FILE_OF("index.html", index_html);

static const struct cpage_file files[] = {
    FILE_OF("access.js", access_js),
    FILE_OF("api.js", api_js),
    FILE_OF("calendar.js", calendar_js),
    FILE_OF("confirm.js", confirm_js),
    FILE_OF("control.js", control_js),
    FILE_OF("controls.js", controls_js),
    FILE_OF("details.js", details_js),
    FILE_OF("dom.js", dom_js),
    FILE_OF("episodes.js", episodes_js),
    FILE_OF("events.css", events_css),
    FILE_OF("events.js", events_js),
    FILE_OF("feed.js", feed_js),
    FILE_OF("filter.js", filter_js),
    FILE_OF("format.js", format_js),
    FILE_OF("frame.js", frame_js),
    FILE_OF("frames.js", frames_js),
    FILE_OF("grid.js", grid_js),
    FILE_OF("health.js", health_js),
    FILE_OF("hooks.js", hooks_js),
    FILE_OF("icon.svg", icon_svg),
    FILE_OF("live.css", live_css),
    FILE_OF("live.js", live_js),
    FILE_OF("login.js", login_js),
    FILE_OF("main.js", main_js),
    FILE_OF("screen.js", screen_js),
    FILE_OF("source.js", source_js),
    FILE_OF("spool.css", spool_css),
    FILE_OF("spool.js", spool_js),
    FILE_OF("states.js", states_js),
    FILE_OF("style.css", style_css),
    FILE_OF("timeline.js", timeline_js),
    FILE_OF("viewer.js", viewer_js),
    FILE_OF("zoom.js", zoom_js),
};
const struct cpage_file *const cpage_files = files;
const size_t cpage_file_count = sizeof files / sizeof *files;
