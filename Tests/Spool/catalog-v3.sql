-- SPDX-License-Identifier: Apache-2.0
-- A catalog as the build of 2026-11-22 (67c3c96) made it: four stills, of which one was pinned and one deleted.
PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
INSERT INTO grdb_migrations VALUES('v1');
INSERT INTO grdb_migrations VALUES('v2');
INSERT INTO grdb_migrations VALUES('v3');
CREATE TABLE IF NOT EXISTS "frame" ("id" TEXT PRIMARY KEY NOT NULL, "camera" TEXT NOT NULL, "path" TEXT NOT NULL UNIQUE, "bytes" INTEGER NOT NULL, "width" INTEGER NOT NULL, "height" INTEGER NOT NULL, "sequence" INTEGER NOT NULL, "capturedAt" INTEGER NOT NULL, "timestampSource" TEXT NOT NULL, "uncertaintyNs" INTEGER, "storedAt" INTEGER NOT NULL, "stored" TEXT NOT NULL, "sha256" TEXT NOT NULL, "bootID" TEXT NOT NULL, "storedMonotonicNs" INTEGER NOT NULL, "isClockSynchronized" INTEGER NOT NULL, "settled" INTEGER, "verdict" TEXT, "faults" TEXT, "appearance" TEXT, "tags" TEXT, "average" INTEGER, "gapNs" INTEGER, source TEXT NOT NULL DEFAULT 'request', pinned INTEGER NOT NULL DEFAULT 0, isLost INTEGER NOT NULL DEFAULT 0, scale INTEGER NOT NULL DEFAULT 0) STRICT, WITHOUT ROWID;
INSERT INTO frame VALUES('01a204c1-607d-79b1-83cd-a328f654aeb3','pattern','pattern/2026/11/22/193511.741914Z-000000010.jpg',5909,160,120,10,1795376111741914,'startOfExposure',1000000,1795376111747488,'durable','b52175da05775f1c8cdb523653db44e010a842a0f6a25ea5f23088b94a8d04e2','2b442043-bb6a-4a22-888c-b03af2199eeb',1401043144257,0,1,'intact',NULL,NULL,'night,t2',NULL,NULL,'request',1,0,10000);
INSERT INTO frame VALUES('01a204c1-60e1-7eec-b064-cd872c7e5e1b','pattern','pattern/2026/11/22/193511.841914Z-000000013.jpg',6236,160,120,13,1795376111841914,'startOfExposure',1000000,1795376111847390,'durable','753d15be5924715f20fa2c2c858777cb44a7111619f5631970b3634810b73e4d','2b442043-bb6a-4a22-888c-b03af2199eeb',1401143046638,0,1,'intact',NULL,NULL,'night,t3',NULL,NULL,'request',0,0,20000);
INSERT INTO frame VALUES('01a204c1-6188-73c3-8da7-fe60e641e930','pattern','pattern/2026/11/22/193512.008580Z-000000018.jpg',6213,160,120,18,1795376112008580,'startOfExposure',1000000,1795376112032561,'durable','d1a3c2dc8360c58b30e6752d125eba2b338a5928f4a61588b6cce9b97bf357d5','2b442043-bb6a-4a22-888c-b03af2199eeb',1401328217349,0,1,'intact',NULL,NULL,NULL,NULL,NULL,'request',0,0,20000);
CREATE TABLE frameClass (
    camera TEXT NOT NULL, verdict TEXT NOT NULL, settled INTEGER NOT NULL, source TEXT NOT NULL,
    pinned INTEGER NOT NULL, isLost INTEGER NOT NULL, scale INTEGER NOT NULL,
    frames INTEGER NOT NULL, bytes INTEGER NOT NULL,
    PRIMARY KEY (camera, verdict, settled, source, pinned, isLost, scale)
) STRICT, WITHOUT ROWID;
INSERT INTO frameClass VALUES('pattern','intact',1,'request',0,0,20000,2,12449);
INSERT INTO frameClass VALUES('pattern','intact',1,'request',1,0,10000,1,5909);
CREATE TABLE frameTag (
    tag TEXT NOT NULL, camera TEXT NOT NULL, frame TEXT NOT NULL, PRIMARY KEY (tag, camera, frame)
) STRICT, WITHOUT ROWID;
INSERT INTO frameTag VALUES('night','pattern','01a204c1-607d-79b1-83cd-a328f654aeb3');
INSERT INTO frameTag VALUES('night','pattern','01a204c1-60e1-7eec-b064-cd872c7e5e1b');
INSERT INTO frameTag VALUES('t2','pattern','01a204c1-607d-79b1-83cd-a328f654aeb3');
INSERT INTO frameTag VALUES('t3','pattern','01a204c1-60e1-7eec-b064-cd872c7e5e1b');
CREATE TABLE tombstone (
    path TEXT NOT NULL PRIMARY KEY, id TEXT NOT NULL, deletedAt INTEGER NOT NULL, sha256 TEXT NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO tombstone VALUES('pattern/2026/11/22/193511.575247Z-000000005.jpg','01a204c1-5fd7-7add-b515-9ba8047833a6',1795376126226080,'8559176df77de990294a64f9400bfb68e7ea7195cdcf7cc64cfd20c9c219efc0');
CREATE INDEX frame_class ON frame (camera, verdict, settled, source, pinned, isLost, scale, id,
    capturedAt, bytes, width, height, tags);
CREATE INDEX tombstone_deletedAt ON tombstone (deletedAt);
CREATE INDEX tombstone_id ON tombstone (id);
CREATE TRIGGER frame_inserted AFTER INSERT ON frame BEGIN
    INSERT INTO frameClass VALUES (NEW.camera, ifnull(NEW.verdict, ''), ifnull(NEW.settled, -1),
        NEW.source, NEW.pinned, NEW.isLost, 10000 * ((NEW.bytes >= 4096) + (NEW.bytes >= 6144) + (NEW.bytes >= 8192) + (NEW.bytes >= 12288) + (NEW.bytes >= 16384) + (NEW.bytes >= 24576) + (NEW.bytes >= 32768) + (NEW.bytes >= 49152) + (NEW.bytes >= 65536) + (NEW.bytes >= 98304) + (NEW.bytes >= 131072) + (NEW.bytes >= 196608) + (NEW.bytes >= 262144) + (NEW.bytes >= 393216) + (NEW.bytes >= 524288) + (NEW.bytes >= 786432) + (NEW.bytes >= 1048576) + (NEW.bytes >= 1572864) + (NEW.bytes >= 2097152) + (NEW.bytes >= 3145728) + (NEW.bytes >= 4194304) + (NEW.bytes >= 6291456) + (NEW.bytes >= 8388608) + (NEW.bytes >= 12582912) + (NEW.bytes >= 16777216) + (NEW.bytes >= 33554432) + (NEW.bytes >= 67108864)) + 100 * ((NEW.width >= 320) + (NEW.width >= 640) + (NEW.width >= 800) + (NEW.width >= 1024) + (NEW.width >= 1280) + (NEW.width >= 1600) + (NEW.width >= 1920) + (NEW.width >= 2560) + (NEW.width >= 3840)) + 1 * ((NEW.height >= 240) + (NEW.height >= 480) + (NEW.height >= 600) + (NEW.height >= 720) + (NEW.height >= 960) + (NEW.height >= 1080) + (NEW.height >= 1440) + (NEW.height >= 2160)), 1, NEW.bytes)
        ON CONFLICT DO UPDATE SET frames = frames + 1, bytes = bytes + excluded.bytes;
    UPDATE frame SET scale = 10000 * ((NEW.bytes >= 4096) + (NEW.bytes >= 6144) + (NEW.bytes >= 8192) + (NEW.bytes >= 12288) + (NEW.bytes >= 16384) + (NEW.bytes >= 24576) + (NEW.bytes >= 32768) + (NEW.bytes >= 49152) + (NEW.bytes >= 65536) + (NEW.bytes >= 98304) + (NEW.bytes >= 131072) + (NEW.bytes >= 196608) + (NEW.bytes >= 262144) + (NEW.bytes >= 393216) + (NEW.bytes >= 524288) + (NEW.bytes >= 786432) + (NEW.bytes >= 1048576) + (NEW.bytes >= 1572864) + (NEW.bytes >= 2097152) + (NEW.bytes >= 3145728) + (NEW.bytes >= 4194304) + (NEW.bytes >= 6291456) + (NEW.bytes >= 8388608) + (NEW.bytes >= 12582912) + (NEW.bytes >= 16777216) + (NEW.bytes >= 33554432) + (NEW.bytes >= 67108864)) + 100 * ((NEW.width >= 320) + (NEW.width >= 640) + (NEW.width >= 800) + (NEW.width >= 1024) + (NEW.width >= 1280) + (NEW.width >= 1600) + (NEW.width >= 1920) + (NEW.width >= 2560) + (NEW.width >= 3840)) + 1 * ((NEW.height >= 240) + (NEW.height >= 480) + (NEW.height >= 600) + (NEW.height >= 720) + (NEW.height >= 960) + (NEW.height >= 1080) + (NEW.height >= 1440) + (NEW.height >= 2160)) WHERE id = NEW.id AND scale <> 10000 * ((NEW.bytes >= 4096) + (NEW.bytes >= 6144) + (NEW.bytes >= 8192) + (NEW.bytes >= 12288) + (NEW.bytes >= 16384) + (NEW.bytes >= 24576) + (NEW.bytes >= 32768) + (NEW.bytes >= 49152) + (NEW.bytes >= 65536) + (NEW.bytes >= 98304) + (NEW.bytes >= 131072) + (NEW.bytes >= 196608) + (NEW.bytes >= 262144) + (NEW.bytes >= 393216) + (NEW.bytes >= 524288) + (NEW.bytes >= 786432) + (NEW.bytes >= 1048576) + (NEW.bytes >= 1572864) + (NEW.bytes >= 2097152) + (NEW.bytes >= 3145728) + (NEW.bytes >= 4194304) + (NEW.bytes >= 6291456) + (NEW.bytes >= 8388608) + (NEW.bytes >= 12582912) + (NEW.bytes >= 16777216) + (NEW.bytes >= 33554432) + (NEW.bytes >= 67108864)) + 100 * ((NEW.width >= 320) + (NEW.width >= 640) + (NEW.width >= 800) + (NEW.width >= 1024) + (NEW.width >= 1280) + (NEW.width >= 1600) + (NEW.width >= 1920) + (NEW.width >= 2560) + (NEW.width >= 3840)) + 1 * ((NEW.height >= 240) + (NEW.height >= 480) + (NEW.height >= 600) + (NEW.height >= 720) + (NEW.height >= 960) + (NEW.height >= 1080) + (NEW.height >= 1440) + (NEW.height >= 2160));
    DELETE FROM tombstone WHERE path = NEW.path;
END;
CREATE TRIGGER frame_deleted AFTER DELETE ON frame BEGIN
    UPDATE frameClass SET frames = frames - 1, bytes = bytes - OLD.bytes WHERE camera = OLD.camera AND verdict = ifnull(OLD.verdict, '') AND settled = ifnull(OLD.settled, -1)
    AND source = OLD.source AND pinned = OLD.pinned AND isLost = OLD.isLost AND scale = OLD.scale;
DELETE FROM frameClass WHERE frames = 0 AND camera = OLD.camera AND verdict = ifnull(OLD.verdict, '') AND settled = ifnull(OLD.settled, -1)
    AND source = OLD.source AND pinned = OLD.pinned AND isLost = OLD.isLost AND scale = OLD.scale;
END;
CREATE TRIGGER frame_reclassed AFTER UPDATE OF camera, verdict, settled, source, pinned, isLost, bytes, width, height
    ON frame BEGIN
    UPDATE frameClass SET frames = frames - 1, bytes = bytes - OLD.bytes WHERE camera = OLD.camera AND verdict = ifnull(OLD.verdict, '') AND settled = ifnull(OLD.settled, -1)
    AND source = OLD.source AND pinned = OLD.pinned AND isLost = OLD.isLost AND scale = OLD.scale;
DELETE FROM frameClass WHERE frames = 0 AND camera = OLD.camera AND verdict = ifnull(OLD.verdict, '') AND settled = ifnull(OLD.settled, -1)
    AND source = OLD.source AND pinned = OLD.pinned AND isLost = OLD.isLost AND scale = OLD.scale;
    INSERT INTO frameClass VALUES (NEW.camera, ifnull(NEW.verdict, ''), ifnull(NEW.settled, -1),
        NEW.source, NEW.pinned, NEW.isLost, 10000 * ((NEW.bytes >= 4096) + (NEW.bytes >= 6144) + (NEW.bytes >= 8192) + (NEW.bytes >= 12288) + (NEW.bytes >= 16384) + (NEW.bytes >= 24576) + (NEW.bytes >= 32768) + (NEW.bytes >= 49152) + (NEW.bytes >= 65536) + (NEW.bytes >= 98304) + (NEW.bytes >= 131072) + (NEW.bytes >= 196608) + (NEW.bytes >= 262144) + (NEW.bytes >= 393216) + (NEW.bytes >= 524288) + (NEW.bytes >= 786432) + (NEW.bytes >= 1048576) + (NEW.bytes >= 1572864) + (NEW.bytes >= 2097152) + (NEW.bytes >= 3145728) + (NEW.bytes >= 4194304) + (NEW.bytes >= 6291456) + (NEW.bytes >= 8388608) + (NEW.bytes >= 12582912) + (NEW.bytes >= 16777216) + (NEW.bytes >= 33554432) + (NEW.bytes >= 67108864)) + 100 * ((NEW.width >= 320) + (NEW.width >= 640) + (NEW.width >= 800) + (NEW.width >= 1024) + (NEW.width >= 1280) + (NEW.width >= 1600) + (NEW.width >= 1920) + (NEW.width >= 2560) + (NEW.width >= 3840)) + 1 * ((NEW.height >= 240) + (NEW.height >= 480) + (NEW.height >= 600) + (NEW.height >= 720) + (NEW.height >= 960) + (NEW.height >= 1080) + (NEW.height >= 1440) + (NEW.height >= 2160)), 1, NEW.bytes)
        ON CONFLICT DO UPDATE SET frames = frames + 1, bytes = bytes + excluded.bytes;
    UPDATE frame SET scale = 10000 * ((NEW.bytes >= 4096) + (NEW.bytes >= 6144) + (NEW.bytes >= 8192) + (NEW.bytes >= 12288) + (NEW.bytes >= 16384) + (NEW.bytes >= 24576) + (NEW.bytes >= 32768) + (NEW.bytes >= 49152) + (NEW.bytes >= 65536) + (NEW.bytes >= 98304) + (NEW.bytes >= 131072) + (NEW.bytes >= 196608) + (NEW.bytes >= 262144) + (NEW.bytes >= 393216) + (NEW.bytes >= 524288) + (NEW.bytes >= 786432) + (NEW.bytes >= 1048576) + (NEW.bytes >= 1572864) + (NEW.bytes >= 2097152) + (NEW.bytes >= 3145728) + (NEW.bytes >= 4194304) + (NEW.bytes >= 6291456) + (NEW.bytes >= 8388608) + (NEW.bytes >= 12582912) + (NEW.bytes >= 16777216) + (NEW.bytes >= 33554432) + (NEW.bytes >= 67108864)) + 100 * ((NEW.width >= 320) + (NEW.width >= 640) + (NEW.width >= 800) + (NEW.width >= 1024) + (NEW.width >= 1280) + (NEW.width >= 1600) + (NEW.width >= 1920) + (NEW.width >= 2560) + (NEW.width >= 3840)) + 1 * ((NEW.height >= 240) + (NEW.height >= 480) + (NEW.height >= 600) + (NEW.height >= 720) + (NEW.height >= 960) + (NEW.height >= 1080) + (NEW.height >= 1440) + (NEW.height >= 2160)) WHERE id = NEW.id AND scale <> 10000 * ((NEW.bytes >= 4096) + (NEW.bytes >= 6144) + (NEW.bytes >= 8192) + (NEW.bytes >= 12288) + (NEW.bytes >= 16384) + (NEW.bytes >= 24576) + (NEW.bytes >= 32768) + (NEW.bytes >= 49152) + (NEW.bytes >= 65536) + (NEW.bytes >= 98304) + (NEW.bytes >= 131072) + (NEW.bytes >= 196608) + (NEW.bytes >= 262144) + (NEW.bytes >= 393216) + (NEW.bytes >= 524288) + (NEW.bytes >= 786432) + (NEW.bytes >= 1048576) + (NEW.bytes >= 1572864) + (NEW.bytes >= 2097152) + (NEW.bytes >= 3145728) + (NEW.bytes >= 4194304) + (NEW.bytes >= 6291456) + (NEW.bytes >= 8388608) + (NEW.bytes >= 12582912) + (NEW.bytes >= 16777216) + (NEW.bytes >= 33554432) + (NEW.bytes >= 67108864)) + 100 * ((NEW.width >= 320) + (NEW.width >= 640) + (NEW.width >= 800) + (NEW.width >= 1024) + (NEW.width >= 1280) + (NEW.width >= 1600) + (NEW.width >= 1920) + (NEW.width >= 2560) + (NEW.width >= 3840)) + 1 * ((NEW.height >= 240) + (NEW.height >= 480) + (NEW.height >= 600) + (NEW.height >= 720) + (NEW.height >= 960) + (NEW.height >= 1080) + (NEW.height >= 1440) + (NEW.height >= 2160));
END;
CREATE TRIGGER frame_tagged AFTER INSERT ON frame WHEN NEW.tags <> '' BEGIN
    INSERT INTO frameTag SELECT DISTINCT value, NEW.camera, NEW.id FROM json_each('["' || replace(nullif(NEW.tags, ''), ',', '","') || '"]');
END;
CREATE TRIGGER frame_untagged AFTER DELETE ON frame WHEN OLD.tags <> '' BEGIN
    DELETE FROM frameTag WHERE camera = OLD.camera AND frame = OLD.id AND tag IN (SELECT value FROM json_each('["' || replace(nullif(OLD.tags, ''), ',', '","') || '"]'));
END;
CREATE TRIGGER frame_retagged AFTER UPDATE OF id, camera, tags ON frame BEGIN
    DELETE FROM frameTag WHERE camera = OLD.camera AND frame = OLD.id AND tag IN (SELECT value FROM json_each('["' || replace(nullif(OLD.tags, ''), ',', '","') || '"]'));
    INSERT INTO frameTag SELECT DISTINCT value, NEW.camera, NEW.id FROM json_each('["' || replace(nullif(NEW.tags, ''), ',', '","') || '"]');
END;
COMMIT;
PRAGMA user_version=1;
