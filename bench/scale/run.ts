import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { measureOneFile } from './one-file.ts'
import { measureOneSession } from './one-session.ts'
import { scalePage, type ScaleRecord } from './page.ts'
import { measurePostgres } from './postgres.ts'

const usage = `npm run bench:scale -- [options]

Measures how stores and sessions grow, and says what they would take at a size that is too large to
measure. About six minutes, and 2 GB in the folder for temporary files.

  --only A,B    only these parts: file, postgres, session
  --record      write docs/scale.json and docs/scale.md; parts that were not measured stay`

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: 'file,postgres,session' },
    record: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  },
})

const docs = join(import.meta.dirname, '../../docs')
const measures = { file: measureOneFile, postgres: measurePostgres, session: measureOneSession }

if (values.help) console.log(usage)
else await main()

async function main(): Promise<void> {
  const file = join(docs, 'scale.json')
  const recorded: Partial<ScaleRecord> = existsSync(file)
    ? (JSON.parse(readFileSync(file, 'utf8')) as ScaleRecord)
    : {}
  for (const name of values.only.split(',')) {
    if (!(name in measures)) throw new Error(`There is no part named ${name}.\n\n${usage}`)
    const part = name as keyof typeof measures
    recorded[part] = await measures[part]()
  }
  const { file: oneFile, postgres, session } = recorded
  if (!values.record) return
  if (!oneFile || !postgres || !session) throw new Error('Record all parts first.')
  const machine = `Node ${process.versions.node}, ${process.platform} ${process.arch}, ${availableParallelism()} processors`
  const text = `${JSON.stringify({ machine, file: oneFile, postgres, session }, rounded, 2)}\n`
  writeFileSync(file, text)
  writeFileSync(join(docs, 'scale.md'), scalePage(JSON.parse(text) as ScaleRecord))
}

function rounded(_: string, value: unknown): unknown {
  return typeof value === 'number' ? Number(value.toPrecision(4)) : value
}
