import { sqliteStore } from '../sqlite-store.ts'

// A process that reads a session again and again until its standard input ends.
const [file = '', session = ''] = process.argv.slice(2)
const store = sqliteStore({ file })
process.stdin.resume()
process.stdout.write('reading\n')
while (!process.stdin.readableEnded) {
  await store.read(session)
  await new Promise(setImmediate)
}
store.close()
