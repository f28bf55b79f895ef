import { DatabaseSync, StatementSync } from 'node:sqlite'
import { redactText } from '../../../log/redaction/redaction.ts'
import { rewritingOf } from '../../../session/operations/redaction.ts'
import { draft } from '../../../testing/conformance/store-drafts.ts'
import { sqliteStore } from '../sqlite-store.ts'

// A process that says a secret, takes it out of the store, and is killed before the nth statement of
// that. Prints how many statements there were if it lives on.
const [file = '', secret = '', nth = ''] = process.argv.slice(2)
const store = sqliteStore({ file })
await store.append('a', [draft(`now it is ${secret}`), draft('after it')])
await store.search('a', { phrases: [['now']], match: 'all', limit: 3 })

let statements = 0
function count(): void {
  statements += 1
  if (statements === Number(nth)) process.kill(process.pid, 'SIGKILL')
}

for (const name of ['run', 'get', 'all'] as const) {
  const call = StatementSync.prototype[name] as (...values: unknown[]) => never
  StatementSync.prototype[name] = function (this: StatementSync, ...values: unknown[]) {
    count()
    return call.apply(this, values)
  }
}
const { exec } = DatabaseSync.prototype
DatabaseSync.prototype.exec = function (this: DatabaseSync, sql: string) {
  count()
  exec.call(this, sql)
}

await store.redact('a', rewritingOf(redactText(secret), 0))
process.stdout.write(`${statements}`)
process.kill(process.pid, 'SIGKILL')
