import { draft } from '../../../testing/conformance/store-drafts.ts'
import { redactText } from '../../../log/redaction/redaction.ts'
import { rewritingOf } from '../../../session/operations/redaction.ts'
import { sqliteStore } from '../sqlite-store.ts'

// A process that may read a store but not write it: argv names the files. Results are printed on
// standard output, a line of JSON for each file.
if (process.getuid?.() === 0) {
  // Permissions mean nothing to root.
  process.setgid?.(65_534)
  process.setuid?.(65_534)
}

for (const file of process.argv.slice(2)) {
  process.stdout.write(`${JSON.stringify(await workOn(file))}\n`)
}

async function workOn(file: string): Promise<object> {
  try {
    const store = sqliteStore({ file, busyTimeout: 100 })
    const told = {
      entries: (await store.read('a')).length,
      sessions: (await store.sessions()).map(({ id }) => id),
      found: await store.search('a', { phrases: [['pear']], match: 'all', limit: 9 }),
      append: await failureOf(store.append('a', [draft('more')])),
      redact: await failureOf(store.redact('a', rewritingOf(redactText('a pear'), 0))),
      remove: await failureOf(store.remove('a')),
    }
    store.close()
    return { ...told, closed: await failureOf(store.read('a')) }
  } catch (error) {
    return { opening: (error as { failure?: string }).failure ?? String(error) }
  }
}

async function failureOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'done',
    (error: { failure?: string }) => error.failure ?? String(error),
  )
}
