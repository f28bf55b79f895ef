import { readFileSync } from 'node:fs'
import { draft } from '../../../testing/conformance/store-drafts.ts'
import { sqliteStore } from '../sqlite-store.ts'
import { Statements } from '../statements.ts'

// Appends many entries at once, and prints how many bytes the process read while it committed them.
const readSoFar = (): number =>
  Number(/rchar: (\d+)/.exec(readFileSync('/proc/self/io', 'utf8'))?.[1])

let read = 0
const run = Statements.prototype.run
Statements.prototype.run = function (this: Statements, ...words): number {
  if (words[0] !== 'COMMIT') return Reflect.apply(run, this, words)
  const before = readSoFar()
  const changed = Reflect.apply(run, this, words)
  read += readSoFar() - before
  return changed
}

const store = sqliteStore({ file: String(process.argv[2]) })
const lots = Array.from({ length: 26_000 }, (_, n) => draft(`${n} ${'word '.repeat(120)}`, n))
await store.append('a', lots)
store.close()
process.stdout.write(String(read))
