import { once } from 'node:events'
import { sqliteStore } from '../sqlite-store.ts'
import { draft } from '../../../testing/conformance/store-drafts.ts'

// One of several processes that open the same stores at the same moments: argv names the process
// and the files, standard input the first moment. Errors are printed on standard output.
const [name = '', ...files] = process.argv.slice(2)

process.stdout.write('ready\n')
const [line] = await once(process.stdin.setEncoding('utf8'), 'data')
const start = Number(line)

for (const [index, file] of files.entries()) {
  while (Date.now() < start + index * 25) {
    // If they slept, they would wake up at different moments.
  }
  try {
    const store = sqliteStore({ file, busyTimeout: 300_000 })
    await store.append(name, [draft('hello')])
    store.close()
  } catch (error) {
    process.stdout.write(`${file}: ${String(error)}\n`)
  }
}
process.stdin.destroy()
