import { draft } from '../../../testing/conformance/store-drafts.ts'
import { redactText } from '../../../log/redaction/redaction.ts'
import { rewritingOf } from '../../../session/operations/redaction.ts'
import { sqliteStore, type SqliteStore } from '../sqlite-store.ts'

// A process that may not write files beyond a limit: argv names pieces of work and their files.
// Results are printed on standard output, a line of JSON for each.
const works: Record<string, (store: SqliteStore) => Promise<unknown>> = {
  open: async () => undefined,
  append: (store) => appendUntilItFails(store, 0),
  search: (store) => store.search('a', { phrases: [['secret']], match: 'all', limit: 9 }),
  redact: (store) => store.redact('a', rewritingOf(redactText('the-secret'), 0)),
}

async function appendUntilItFails(store: SqliteStore, done: number): Promise<never> {
  process.stdout.write(done === 0 ? '' : `{"acknowledged":${done}}\n`)
  await store.append('a', [draft('x'.repeat(5_000)), draft('y'.repeat(5_000))])
  return appendUntilItFails(store, done + 2)
}

const argv = process.argv.slice(2)
for (let index = 0; index < argv.length; index += 2) {
  const [work = '', file = ''] = argv.slice(index, index + 2)
  let outcome: object = { work }
  try {
    const store = sqliteStore({ file })
    try {
      await works[work]?.(store)
    } finally {
      store.close()
    }
  } catch (error) {
    const { code, failure } = error as { code?: string; failure?: string }
    outcome = { work, code, failure }
  }
  process.stdout.write(`${JSON.stringify(outcome)}\n`)
}
