// SPDX-License-Identifier: Apache-2.0
import Testing
import TintypeModel

struct AccountsTests {
    @Test func `finds users and groups by name and by number`() {
        #expect(Accounts.user("root") == 0 && Accounts.user("1234") == 1234 && Accounts.user("nobody-has-this") == nil)
        #expect(Accounts.group("root") == 0 && Accounts.group("77") == 77 && Accounts.group("nobody-has-this") == nil)
        #expect(Accounts.account("root")?.user == 0)
        #expect(Accounts.account("root")?.groups.first == 0)
        #expect(Accounts.account("nobody-has-this") == nil)
        #expect(Accounts.account("0")?.groups == Accounts.account("root")?.groups && Accounts.account("0") != nil)
        #expect(Accounts.account("4040404") == nil)
    }
}
