import { jsonLinesStore } from '../json-lines-store.ts'
import { draft } from '../../../testing/conformance/store-drafts.ts'

/** Appends pairs to one session until it is told to stop or killed, and says what was acknowledged. */
const [, , directory = '', name = '', rounds = '0'] = process.argv
const store = jsonLinesStore({ directory, busyTimeout: 60_000 })
for (let round = 0; round < Number(rounds); round++) {
  const text = `${name} ${round} ${'x'.repeat(20_000)}`
  const [first] = await store.append('shared', [draft(text), draft(text)])
  process.stdout.write(`${first?.seq ?? 0} ${name} ${round}\n`)
}
