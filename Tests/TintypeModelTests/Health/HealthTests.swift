// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import TintypeModel

struct HealthTests {
    private static let moment = Timestamp(microseconds: 0)
    private static let full = Problem(.spoolFull, "No room in /spool.", remedy: "Make room.")
    private static let lost = Problem(.deviceLost, "It is gone.", remedy: "Plug it in.")

    private static func camera(_ name: String = "front", _ change: (inout CameraStatus) -> Void = { _ in })
        -> CameraStatus
    {
        var status = CameraStatus(name: name, identity: nil, authorization: .authorized, state: .off)
        change(&status)
        return status
    }

    /// Camera whose schedule misses because of `problem`.
    private static func missing(_ problem: Problem) -> CameraStatus {
        camera {
            $0.publishing = [PublishingStatus(schedule: "every 1m")]
            $0.publishing?[0].problem = problem
        }
    }

    private static func spool(_ state: SpoolState = .available, name: String = "default", room: SpoolRoom? = nil)
        -> SpoolReport
    {
        SpoolReport(spool: name, folder: "/spool", state: state, room: room)
    }

    /// Camera fault and the expected reason.
    struct Trouble: Sendable, CustomTestStringConvertible {
        let code: HealthReason.Code
        let says: String
        let change: @Sendable (inout CameraStatus) -> Void
        var testDescription: String { code.rawValue }
    }

    private static let troubles = [
        Trouble(code: .cameraAbsent, says: "The camera front is not there.") { $0.authorization = .absent },
        Trouble(code: .cameraDenied, says: "The daemon may not open the camera front.") {
            $0.authorization = .denied(remedy: "Join video.")
        },
        Trouble(code: .cameraRestricted, says: "The daemon is kept from the camera front by the unit.") {
            $0.authorization = .restricted(by: "the unit")
        },
        Trouble(
            code: .driverStuck,
            says: "The driver of the camera front has not returned from VIDIOC_DQBUF for 12.9 s."
        ) {
            $0.stuckCall = .init(name: "VIDIOC_DQBUF", runningMs: Milliseconds(.milliseconds(12_900)))
        },
        Trouble(code: .cameraFailing, says: "The camera front gives no pictures. It is gone.") {
            $0.state = .interrupted(reason: lost, since: moment, nextAttempt: moment)
        },
        Trouble(code: .cameraFailing, says: "The camera front gives no pictures. It is gone.") {
            ($0.state, $0.failure) = (.settling, lost)
        },
        Trouble(code: .cameraDenied, says: "The camera front gives no pictures. No.") {
            $0.state = .failed(reason: Problem(.cameraDenied, "No.", remedy: "Join video."))
        },
        Trouble(code: .stillsFail, says: "The last 3 stills of the camera front failed. It is gone.") {
            $0.failing = FailingStills(count: 3, since: moment, problem: lost)
        },
    ]

    @Test func `working cameras and spools are ok`() {
        let idle = Self.camera { $0.failing = FailingStills(count: 2, since: Self.moment, problem: Self.lost) }
        let room = SpoolRoom(freeBytes: 1 << 30, totalBytes: 1 << 40)
        #expect(Health(version: "1", cameras: [idle], spools: [Self.spool(room: room)]) == Health(version: "1"))
    }

    @Test func `a daemon without cameras is ok`() {
        #expect(Health(version: "1", cameras: [], spools: [Self.spool()]).status == .ok)
    }

    @Test(arguments: troubles) func `a faulty camera is a reason and fails a daemon without others`(
        _ trouble: Trouble
    ) throws {
        let front = Self.camera("front", trouble.change)
        let alone = Health(version: "1", cameras: [front], spools: [Self.spool()])
        #expect(alone.status == .failing)
        let reason = try #require(alone.reasons?.first)
        #expect(reason.code == trouble.code && reason.camera == "front" && reason.spool == nil)
        #expect(reason.detail == trouble.says)
        #expect(!reason.remedy.isEmpty)
        let both = Health(version: "1", cameras: [front, Self.camera("back")], spools: [Self.spool()])
        #expect(both.status == .degraded)
        #expect(both.reasons == alone.reasons)
    }

    @Test func `a degraded camera degrades the daemon`() {
        let front = Self.camera { $0.state = .degraded(reason: Self.lost) }
        let health = Health(version: "1", cameras: [front], spools: [Self.spool()])
        #expect(health.status == .degraded)
        let reason = HealthReason(.cameraDegraded, camera: "front", "It is gone.", remedy: "Plug it in.")
        #expect(health.reasons == [reason])
    }

    @Test func `faults of jobs degrade the daemon, each as a cause of its own`() {
        let faults = ["a", "b"].map { job in
            var reason = HealthReason(.jobFailed, "It fails.", remedy: "Look.")
            reason.job = job
            return reason
        }
        let health = Health(version: "1", cameras: [Self.camera("front")], spools: [Self.spool()], jobs: faults)
        #expect(health.status == .degraded && health.reasons == faults)
        #expect(Set(faults.map(\.cause)).count == 2)
    }

    @Test func `each alarm is a reason, and no camera without pictures`() throws {
        let since = Self.moment
        let front = Self.camera {
            $0.alarms = [
                AlarmStatus(.noPicture), AlarmStatus(.frozen, since: since), AlarmStatus(.black, since: since),
            ]
        }
        let health = Health(version: "1", cameras: [front], spools: [Self.spool()])
        #expect(health.status == .degraded)
        let reasons = try #require(health.reasons)
        #expect(reasons.map(\.code) == [.cameraAlarm, .cameraAlarm] && reasons.map(\.alarm) == [.frozen, .black])
        #expect(reasons.allSatisfy { $0.camera == "front" && !$0.remedy.isEmpty })
        #expect(Set(reasons.map(\.cause)).count == 2)
        #expect(reasons[1].detail == "The picture of the camera front has been black since \(since).")
        let idle = Self.camera { $0.alarms = CameraAlarm.allCases.map { AlarmStatus($0) } }
        #expect(Health(version: "1", cameras: [idle], spools: [Self.spool()]).reasons == nil)
        // Beside the reason for the failure itself.
        let lost = Self.camera {
            $0.state = .failed(reason: Self.lost)
            $0.alarms = [AlarmStatus(.noPicture, since: since)]
        }
        let failing = Health(version: "1", cameras: [lost], spools: [Self.spool()])
        #expect(failing.status == .failing && failing.reasons?.map(\.code) == [.cameraFailing, .cameraAlarm])
    }

    @Test func `a faulty spool is a reason and fails a daemon without others`() {
        let states: [SpoolState] = [
            .full(reason: Self.full, since: Self.moment),
            .unavailable(reason: Self.full, since: Self.moment, nextAttempt: Self.moment),
        ]
        for (state, code) in zip(states, [HealthReason.Code.spoolFull, .spoolUnavailable]) {
            let alone = Health(version: "1", cameras: [Self.camera()], spools: [Self.spool(state)])
            #expect(alone.status == .failing)
            #expect(alone.reasons == [HealthReason(code, spool: "default", "No room in /spool.", remedy: "Make room.")])
            let both = [Self.spool(state), Self.spool(name: "usb")]
            #expect(Health(version: "1", cameras: [Self.camera()], spools: both).status == .degraded)
        }
    }

    @Test(arguments: [
        (255, 1_000_000, 0, true), (256, 1_000_000, 0, false), (4, 50, 0, false), (2, 50, 0, true),
        (99, 1_000_000, 100, false), (49, 1_000_000, 100, true),
    ])
    func `a spool with little free space degrades the daemon`(_ free: Int, _ total: Int, _ minimum: Int, _ isLow: Bool)
    {
        let room = SpoolRoom(freeBytes: free << 20, totalBytes: total << 20, minFreeBytes: minimum << 20)
        let health = Health(version: "1", cameras: [Self.camera()], spools: [Self.spool(room: room)])
        #expect(health.status == (isLow ? .degraded : .ok))
        #expect(health.reasons?.map(\.code) == (isLow ? [.spoolLow] : nil))
    }

    @Test func `a missed schedule is a reason unless its camera or spool explains it`() {
        let late = Problem(.deadlineExceeded, "No frame came.", remedy: "Wait longer.")
        let misses = Health(version: "1", cameras: [Self.missing(late)], spools: [Self.spool()])
        #expect(misses.status == .degraded)
        #expect(misses.reasons?.map(\.code) == [.notPublished])
        let fullSpool = Self.spool(.full(reason: Self.full, since: Self.moment))
        let full = Health(version: "1", cameras: [Self.missing(Self.full)], spools: [fullSpool])
        #expect(full.reasons?.map(\.code) == [.spoolFull])
        var gone = Self.missing(Self.lost)
        gone.authorization = .absent
        let absent = Health(version: "1", cameras: [gone], spools: [Self.spool()])
        #expect(absent.reasons?.map(\.code) == [.cameraAbsent])
    }

    @Test(arguments: [
        (ProblemCode.deviceLost, 5, 2), (.noSignal, 1, 2), (.deadlineExceeded, 5, 2), (.deadlineExceeded, 4, 1),
        (.cameraFault, 1, 2), (.invalidRequest, 5, 1), (.spoolFull, 5, 1), (.stopping, 5, 1),
        (.configurationUnsupported, 5, 1),
    ])
    func `only camera failures count as failing stills`(_ code: ProblemCode, _ seconds: Int, _ count: Int) {
        let first = FailingStills(since: Self.moment, problem: Self.lost)
        let later = Timestamp(microseconds: 9)
        let problem = Problem(code, "No.", remedy: "Try.")
        let sum = FailingStills.adding(problem, deadline: .seconds(seconds), to: first, at: later)
        #expect(sum?.count == count)
        #expect(sum?.since == Self.moment)
    }

    @Test(arguments: SignalFault.allCases)
    func `images excluded by reject are no camera failure`(_ cause: SignalFault) {
        let problem = Problem(.noSignal, "No.", remedy: "Try.", cause: cause)
        let isFailure = [.noSignal, .noLock, .outOfRange].contains(cause)
        let sum = FailingStills.adding(problem, deadline: .seconds(5), to: nil, at: Self.moment)
        #expect((sum != nil) == isFailure)
        let health = Health(version: "1", cameras: [Self.missing(problem)], spools: [Self.spool()])
        #expect(health.reasons?.map(\.code) == (isFailure ? [.notPublished] : nil))
    }
}
