// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import TintypeModel

struct UploadCommand: DaemonCommand {
    static let configuration = CommandConfiguration(
        commandName: "upload",
        abstract: "Upload stored pictures once, as a job.",
        discussion: """
            Prints the id of the job, which lasts over restarts; see “tintype jobs”. For pictures that are yet to be \
            taken, add a rule to the configuration: uploads in tintyped.yaml(5).
            """
    )

    @OptionGroup var shared: SharedOptions
    @OptionGroup var option: FilterOption

    @Option(
        help: ArgumentHelp(
            "The target, such as s3:bucket/site/{camera}/{path} or https://example.org/{id}.jpg.",
            valueName: "target"
        ),
        transform: Self.target
    )
    var to: String

    @Option(help: "The order: newest or oldest first (default: oldest).")
    var order = FrameOrder.oldest

    @Option(
        help: ArgumentHelp("The greatest number of bytes per second, such as 500k or 2M.", valueName: "bytes"),
        transform: Self.limit
    )
    var limit: Int?

    @Flag(help: "Also upload the record of each picture, as .json (not by HTTP).")
    var record = false

    @Option(help: ArgumentHelp("The spool of the pictures; needed if there are several.", valueName: "name"))
    var spool: String?

    @Option("Jobs of a higher priority go first, -100 to 100 (default: 0).", "number", in: Job.priorityRange)
    var priority: Int?

    @Flag(help: "Wait until the job is done, as “tintype jobs wait”.")
    var wait = false

    func validate() throws {
        guard option.filter != nil else {
            throw ValidationError("Select the pictures by --where FILTER; --where 'all()' means all of them.")
        }
    }

    func run() async throws {
        guard let filter = option.filter else { return }
        var options = UploadOptions(to: to)
        (options.order, options.limit, options.record) = (order, limit, record ? true : nil)
        var request = JobRequest(filter, options)
        (request.spool, request.priority) = (spool, priority ?? 0)
        let job = try await client.addJob(request)
        if wait { return try await wait(for: job) }
        try write(job) { "\($0.id)\n" }
    }

    private static func target(_ text: String) throws -> String {
        do throws(UploadTarget.Fault) {
            return try UploadTarget(text).description
        } catch {
            throw ValidationError("“\(text)” \(error.detail) \(error.remedy)")
        }
    }

    private static func limit(_ text: String) throws -> Int {
        guard let bytes = HumanBytes.parse(text), UploadOptions.limitRange.contains(bytes) else {
            throw ValidationError("“\(text)” is not a number of bytes from 1k to 1T, such as 500k or 2M.")
        }
        return bytes
    }
}
