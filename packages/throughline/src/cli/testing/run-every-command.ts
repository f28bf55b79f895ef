import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { main } from '../main.ts'
import { capturedIo } from './captured-io.ts'
import { onFile, onStore, untried } from './every-command.ts'

// A process of its own, since a command that never ends also stops whoever waits for it. It prints a
// line before each command: the one after which nothing comes is the one that hangs.
const [, , ...files] = process.argv
const folder = mkdtempSync(join(tmpdir(), 'throughline-every-'))
const env = { THROUGHLINE_STORE: join(folder, 'sessions.db'), HOME: folder, USERPROFILE: folder }

if (untried.length > 0) process.stdout.write(`FAILED nobody tries ${untried.join(', ')}\n`)

try {
  for (const file of files) {
    for (const argv of [...onFile(file, folder), ...onStore(folder)]) {
      process.stdout.write(`${JSON.stringify(argv)}\n`)
      const { io, err } = capturedIo({ env, cwd: folder })
      const code = await main(argv, io)
      // A stack is what nobody should see: every failure is a line that says what to do.
      const stack = /^\s+at .*:\d+:\d+/m.exec(err())
      if (![0, 1, 2].includes(code) || stack) {
        process.stdout.write(`FAILED ${code} ${JSON.stringify(argv)} ${err().slice(0, 400)}\n`)
      }
    }
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
