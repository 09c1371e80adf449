-- SPDX-License-Identifier: Apache-2.0
-- A catalog as the build of 2026-11-24 (09df05e) made it in four seconds: 19 stills of two cameras, of which one was pinned and one deleted,
-- one has lost its file, and one was tagged later. catalog-v4.json is what it listed of them.
PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
INSERT INTO grdb_migrations VALUES('v1');
INSERT INTO grdb_migrations VALUES('v2');
INSERT INTO grdb_migrations VALUES('v3');
INSERT INTO grdb_migrations VALUES('v4');
CREATE TABLE IF NOT EXISTS "frame" ("id" TEXT PRIMARY KEY NOT NULL, "camera" TEXT NOT NULL, "path" TEXT NOT NULL UNIQUE, "bytes" INTEGER NOT NULL, "width" INTEGER NOT NULL, "height" INTEGER NOT NULL, "sequence" INTEGER NOT NULL, "capturedAt" INTEGER NOT NULL, "timestampSource" TEXT NOT NULL, "uncertaintyNs" INTEGER, "storedAt" INTEGER NOT NULL, "stored" TEXT NOT NULL, "sha256" TEXT NOT NULL, "bootID" TEXT NOT NULL, "storedMonotonicNs" INTEGER NOT NULL, "isClockSynchronized" INTEGER NOT NULL, "settled" INTEGER, "verdict" TEXT, "faults" TEXT, "appearance" TEXT, "tags" TEXT, "average" INTEGER, "gapNs" INTEGER, source TEXT NOT NULL DEFAULT 'request', pinned INTEGER NOT NULL DEFAULT 0, isLost INTEGER NOT NULL DEFAULT 0, scale INTEGER NOT NULL DEFAULT 0, number INTEGER NOT NULL DEFAULT 0) STRICT, WITHOUT ROWID;
INSERT INTO frame VALUES('01a20b93-eab8-7301-af8b-94e34f342a8c','pattern','pattern/2026/11/24/032252.984256Z-000000005.jpg',2721,64,48,5,1795490572984256,'startOfExposure',1000000,1795490572998192,'durable','ee64af14215afeaa903cb79b67061f3b8adc1541b85b09e1bbfdf3cdc894d1b9','54b6e3b7-05ed-41ae-95aa-da7f639266ff',19989049518041,0,1,'intact',NULL,NULL,'alarm,n1',NULL,NULL,'request',0,0,0,1795490572998203);
INSERT INTO frame VALUES('01a20b93-eb8b-70d9-87a5-606b29e3a41e','pattern-2','pattern-2/2026/11/24/032253.195687Z-000000005.jpg',3482,96,64,5,1795490573195687,'startOfExposure',1000000,1795490573203352,'durable','08430b08a1195819746ba4ac85a3833e7a5d00e3308037a39673ea4cf0845b8a','54b6e3b7-05ed-41ae-95aa-da7f639266ff',19989254677423,0,1,'sound',NULL,NULL,'door',NULL,NULL,'request',0,0,0,1795490573203358);
INSERT INTO frame VALUES('01a20b93-ebc2-73e4-8698-2fc728c3b333','pattern','pattern/2026/11/24/032253.250923Z-000000013.jpg',2782,64,48,13,1795490573250923,'startOfExposure',1000000,1795490573254072,'durable','ddd4011542f650d12619cbf3f95841ff27acecfd78a09ef644708c77ca22cd52','54b6e3b7-05ed-41ae-95aa-da7f639266ff',19989305397539,0,1,'intact',NULL,NULL,'alarm,n2',NULL,NULL,'request',0,0,0,1795490573254079);
INSERT INTO frame VALUES('01a20b93-ebef-760a-ba64-3462332bf5ab','pattern-2','pattern-2/2026/11/24/032253.295687Z-000000008.jpg',3444,96,64,8,1795490573295687,'startOfExposure',1000000,1795490573297721,'durable','cd69a5cc563bb5f66f15ccb08e5b31b457fc1f8208052c469e9aedd45f47a806','54b6e3b7-05ed-41ae-95aa-da7f639266ff',19989349046934,0,1,'sound',NULL,NULL,'door',NULL,NULL,'request',0,0,0,1795490573297729);
INSERT INTO frame VALUES('01a20b93-ec26-7322-95b5-813bf913e75b','pattern','pattern/2026/11/24/032253.350922Z-000000016.jpg',2772,64,48,16,1795490573350922,'startOfExposure',1000000,1795490573352823,'durable','8c8eab4bb381c9c90d46b21d90c12223dde3c1449a73c3fd614cb7436136da08','54b6e3b7-05ed-41ae-95aa-da7f639266ff',19989404148445,0,1,'intact',NULL,NULL,'alarm,n3',NULL,NULL,'request',1,0,0,1795490573352832);
INSERT INTO frame VALUES('01a20b93-ec53-7b77-9371-7a53d01deb20','pattern-2','pattern-2/2026/11/24/032253.395687Z-000000011.jpg',3474,96,64,11,1795490573395687,'startOfExposure',1000000,1795490573401095,'durable','c4cef67a3d60ede858e2d3ed3fb5095c39c0061a1a06d2441cf681d5c7d923cc','54b6e3b7-05ed-41ae-95aa-da7f639266ff',19989452420752,0,1,'sound',NULL,NULL,'door',NULL,NULL,'request',0,0,0,1795490573401103);
INSERT INTO frame VALUES('01a20b93-ec8a-72d1-af43-da30969cf446','pattern','pattern/2026/11/24/032253.450923Z-000000019.jpg',2776,64,48,19,1795490573450923,'startOfExposure',1000000,1795490573452512,'durable','e9e76c6a6a7e6e9130773d2ca07afcd17b1b446c042685ad8471b25580a006b3','54b6e3b7-05ed-41ae-95aa-da7f639266ff',19989503837661,0,1,'intact',NULL,NULL,'alarm,n4',NULL,NULL,'request',0,0,0,1795490573452518);
INSERT INTO frame VALUES('01a20b93-ecb7-74af-9f6c-9f26db2c259c','pattern-2','pattern-2/2026/11/24/032253.495687Z-000000014.jpg',3445,96,64,14,1795490573495687,'startOfExposure',1000000,1795490573497300,'durable','7418bd41d5f98b05fd558763ace81d2237c2aa4a4f8bdeb53511341c02483c73','54b6e3b7-05ed-41ae-95aa-da7f639266ff',19989548626265,0,1,'sound',NULL,NULL,'door',NULL,NULL,'request',0,1,0,1795490573497307);
INSERT INTO frame VALUES('01a20b93-ecee-75b1-85d7-797f855980f4','pattern','pattern/2026/11/24/032253.550923Z-000000022.jpg',2788,64,48,22,1795490573550923,'startOfExposure',1000000,1795490573552283,'durable','3cf576b71f1a485fdfb947e26c758dad03ec3668cb9af28e1a517eaff43de844','54b6e3b7-05ed-41ae-95aa-da7f639266ff',19989603608799,0,1,'intact',NULL,NULL,'alarm,n5',NULL,NULL,'request',0,0,0,1795490573552287);
INSERT INTO frame VALUES('01a20b93-ed1b-719d-9cb7-695563cb9086','pattern-2','pattern-2/2026/11/24/032253.595686Z-000000017.jpg',3487,96,64,17,1795490573595686,'startOfExposure',1000000,1795490573597055,'durable','bdf6627e9ff4ef4653f79f928eb40b052cb776d85749bb796b6b88330c5d5a93','54b6e3b7-05ed-41ae-95aa-da7f639266ff',19989648380367,0,1,'sound',NULL,NULL,'door,late',NULL,NULL,'request',0,0,0,1795490573597058);
INSERT INTO frame VALUES('01a20b93-ed31-798d-aeab-b8c41fe1eab7','pattern','pattern/2026/11/24/032253.617589Z-000000024.jpg',2793,64,48,24,1795490573617589,'startOfExposure',1000000,1795490573619039,'durable','fda12b7109bda506b22b8665d98ab2f54448092bf97882478c739aab003875f3','54b6e3b7-05ed-41ae-95aa-da7f639266ff',19989670364616,0,1,'intact',NULL,NULL,'alarm,n6',NULL,NULL,'request',0,0,0,1795490573619043);
INSERT INTO frame VALUES('01a20b93-ed95-7322-ac2c-1c31882e6bb8','pattern','pattern/2026/11/24/032253.717589Z-000000027.jpg',2841,64,48,27,1795490573717589,'startOfExposure',1000000,1795490573718857,'written','308159cf2a145865a85b932bd2af878e9843fa718875ce1a2d5e92472c05815d','54b6e3b7-05ed-41ae-95aa-da7f639266ff',19989770182233,0,1,'intact',NULL,NULL,NULL,NULL,NULL,'request',0,0,0,1795490573718862);
INSERT INTO frame VALUES('01a20b93-edb6-7ffe-a562-ee9230a20ea1','pattern','pattern/2026/11/24/032253.750923Z-000000028.jpg',2748,64,48,28,1795490573750923,'startOfExposure',1000000,1795490573751730,'written','1407f8cfb99ad54ae7e9c59b6c0b498e5f44fad3d7b87777f06c0478acef78b3','54b6e3b7-05ed-41ae-95aa-da7f639266ff',19989803055053,0,1,'intact',NULL,NULL,NULL,NULL,NULL,'request',0,0,0,1795490573751733);
INSERT INTO frame VALUES('01a20b93-edd8-7054-b44b-6e05a6e73938','pattern','pattern/2026/11/24/032253.784256Z-000000029.jpg',2705,64,48,29,1795490573784256,'startOfExposure',1000000,1795490573785364,'written','ebd053edfeed75d2e56c5c75cc196248bd7adb19fc654611d31c41018461e975','54b6e3b7-05ed-41ae-95aa-da7f639266ff',19989836689201,0,1,'intact',NULL,NULL,NULL,NULL,NULL,'request',0,0,0,1795490573785368);
INSERT INTO frame VALUES('01a20b93-edf9-72a1-8528-0d910f70f6e3','pattern','pattern/2026/11/24/032253.817589Z-000000030.jpg',2777,64,48,30,1795490573817589,'startOfExposure',1000000,1795490573818450,'written','e29334f5d84fe26b21f5b6dd245bd4ea45386d1923cf3ee75c6306e040a3ac39','54b6e3b7-05ed-41ae-95aa-da7f639266ff',19989869775517,0,1,'intact',NULL,NULL,NULL,NULL,NULL,'request',0,0,0,1795490573818454);
INSERT INTO frame VALUES('01a20b93-ee1a-7cb5-85b9-df03d3abb784','pattern','pattern/2026/11/24/032253.850923Z-000000031.jpg',2835,64,48,31,1795490573850923,'startOfExposure',1000000,1795490573851833,'written','ad0e14ed5d5a83bc67be7e378e5cebcc756d3366259e793bc13b5a469c326636','54b6e3b7-05ed-41ae-95aa-da7f639266ff',19989903158664,0,1,'intact',NULL,NULL,NULL,NULL,NULL,'request',0,0,0,1795490573851837);
INSERT INTO frame VALUES('01a20b93-ee3c-700f-9ef1-0b86e0460ab6','pattern','pattern/2026/11/24/032253.884256Z-000000032.jpg',2843,64,48,32,1795490573884256,'startOfExposure',1000000,1795490573885577,'written','c7ed92efab298cc6ace7d84b0b8d97cce80000784dc122470ec15a02dcf0b423','54b6e3b7-05ed-41ae-95aa-da7f639266ff',19989936902374,0,1,'intact',NULL,NULL,NULL,NULL,NULL,'request',0,0,0,1795490573885582);
INSERT INTO frame VALUES('01a20b93-ee69-7a63-bd73-603605c71b68','pattern-2','pattern-2/2026/11/24/032253.929019Z-000000027.jpg',1631,32,21,27,1795490573929019,'startOfExposure',1000000,1795490573997260,'durable','0c480e05075fefd7fd410ad42affcfa894861df9b683f4c621a6c7b8c85de0e3','54b6e3b7-05ed-41ae-95aa-da7f639266ff',19990048585841,0,1,'intact',NULL,NULL,NULL,3,NULL,'request',0,0,0,1795490573997264);
CREATE TABLE frameClass (
    camera TEXT NOT NULL, verdict TEXT NOT NULL, settled INTEGER NOT NULL, source TEXT NOT NULL,
    pinned INTEGER NOT NULL, isLost INTEGER NOT NULL, scale INTEGER NOT NULL,
    frames INTEGER NOT NULL, bytes INTEGER NOT NULL,
    PRIMARY KEY (camera, verdict, settled, source, pinned, isLost, scale)
) STRICT, WITHOUT ROWID;
INSERT INTO frameClass VALUES('pattern','intact',1,'request',0,0,0,11,30609);
INSERT INTO frameClass VALUES('pattern','intact',1,'request',1,0,0,1,2772);
INSERT INTO frameClass VALUES('pattern-2','intact',1,'request',0,0,0,1,1631);
INSERT INTO frameClass VALUES('pattern-2','sound',1,'request',0,0,0,4,13887);
INSERT INTO frameClass VALUES('pattern-2','sound',1,'request',0,1,0,1,3445);
CREATE TABLE frameTag (
    tag TEXT NOT NULL, camera TEXT NOT NULL, frame TEXT NOT NULL, PRIMARY KEY (tag, camera, frame)
) STRICT, WITHOUT ROWID;
INSERT INTO frameTag VALUES('alarm','pattern','01a20b93-eab8-7301-af8b-94e34f342a8c');
INSERT INTO frameTag VALUES('alarm','pattern','01a20b93-ebc2-73e4-8698-2fc728c3b333');
INSERT INTO frameTag VALUES('alarm','pattern','01a20b93-ec26-7322-95b5-813bf913e75b');
INSERT INTO frameTag VALUES('alarm','pattern','01a20b93-ec8a-72d1-af43-da30969cf446');
INSERT INTO frameTag VALUES('alarm','pattern','01a20b93-ecee-75b1-85d7-797f855980f4');
INSERT INTO frameTag VALUES('alarm','pattern','01a20b93-ed31-798d-aeab-b8c41fe1eab7');
INSERT INTO frameTag VALUES('door','pattern-2','01a20b93-eb8b-70d9-87a5-606b29e3a41e');
INSERT INTO frameTag VALUES('door','pattern-2','01a20b93-ebef-760a-ba64-3462332bf5ab');
INSERT INTO frameTag VALUES('door','pattern-2','01a20b93-ec53-7b77-9371-7a53d01deb20');
INSERT INTO frameTag VALUES('door','pattern-2','01a20b93-ecb7-74af-9f6c-9f26db2c259c');
INSERT INTO frameTag VALUES('door','pattern-2','01a20b93-ed1b-719d-9cb7-695563cb9086');
INSERT INTO frameTag VALUES('late','pattern-2','01a20b93-ed1b-719d-9cb7-695563cb9086');
INSERT INTO frameTag VALUES('n1','pattern','01a20b93-eab8-7301-af8b-94e34f342a8c');
INSERT INTO frameTag VALUES('n2','pattern','01a20b93-ebc2-73e4-8698-2fc728c3b333');
INSERT INTO frameTag VALUES('n3','pattern','01a20b93-ec26-7322-95b5-813bf913e75b');
INSERT INTO frameTag VALUES('n4','pattern','01a20b93-ec8a-72d1-af43-da30969cf446');
INSERT INTO frameTag VALUES('n5','pattern','01a20b93-ecee-75b1-85d7-797f855980f4');
INSERT INTO frameTag VALUES('n6','pattern','01a20b93-ed31-798d-aeab-b8c41fe1eab7');
CREATE TABLE tombstone (
    path TEXT NOT NULL PRIMARY KEY, id TEXT NOT NULL, deletedAt INTEGER NOT NULL, sha256 TEXT NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO tombstone VALUES('pattern-2/2026/11/24/032253.662353Z-000000019.jpg','01a20b93-ed5e-73fe-b4e2-51cb1793661c',1795490602970191,'854f3343137200a01ca115659399665686c8b5d464a410007bcff394d9afc2a4');
CREATE TABLE damagedFrame (reason TEXT NOT NULL, row TEXT NOT NULL, setAsideAt INTEGER NOT NULL) STRICT;
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
CREATE INDEX frame_number ON frame (camera, isLost, pinned, number);
COMMIT;
