import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { claudeCodeLines } from './sample/claude-code-lines.ts'
import { record } from './sample/record.ts'
import { turns } from './sample/turns.ts'
import { createWorkplace } from './sample/workplace.ts'

// Records examples/sample-session.jsonl again: see README.md in this folder.
const target = fileURLToPath(new URL('sample-session.jsonl', import.meta.url))
const workplace = createWorkplace()
try {
  const session = await record(turns, workplace.directory)
  const lines = claudeCodeLines(await session.log(), '5e55104e-0000-4000-8000-000000000001')
  const text = lines.map((line) => `${line}\n`).join('')
  writeFileSync(target, text)
  const kilobytes = Math.round(Buffer.byteLength(text) / 1024)
  const { tokens } = session.measure()
  process.stdout.write(
    `${target}: ${lines.length} records, ${kilobytes} KB, about ${tokens} tokens in the context\n`,
  )
} finally {
  workplace.remove()
}
