import { randomUUID } from 'node:crypto'
import { exitCodes } from '../exit-code.ts'
import { writeTarget } from '../output/write-file.ts'
import { escapedJson, safeJson } from '../safe-json.ts'
import { paintFor } from '../terminal/colour.ts'
import { installJson } from '../written/install-json.ts'
import { beforeCommands, commandLines, installFacts } from '../written/install-lines.ts'
import { install } from '../written/install.ts'
import { reportLines } from './report-lines.ts'
import type { Harness } from '../../formats/writing/harness.ts'
import type { WrittenFile, WrittenSession } from '../../formats/writing/format-writer.ts'
import type { Target } from '../output/target.ts'
import type { Fact } from '../terminal/facts.ts'
import type { Io } from '../io.ts'
import type { GoesTo } from '../written/goes-to.ts'
import type { Compacted } from './compact-to-keep.ts'
import type { Work } from './work.ts'

/** Gives what came of a compaction to whoever it is for, and reports on standard error. */
export async function deliver(
  work: Work,
  compacted: Compacted,
  target: Target | undefined,
  io: Io,
): Promise<number> {
  const { goesTo } = work
  const { session } = compacted
  const now = Date.now()
  const written = goesTo && session && write(session, goesTo, now)
  const harness = goesTo?.install ? goesTo.destination.harness : undefined
  if (goesTo && written && harness) {
    return installed(work, compacted, { written, harness, goesTo, now }, io)
  }
  const text = written ? escapedJson(written.text) : compacted.text
  if (target) await writeTarget(target, text)
  else await io.stdout.write(text)
  await report(work, compacted, [], io)
  return exitCodes.done
}

function write(
  session: WrittenSession,
  { destination, directory }: GoesTo,
  now: number,
): WrittenFile {
  const identity = { session: randomUUID(), newId: randomUUID, now, directory }
  return destination.writer.write(session, identity)
}

async function installed(
  work: Work,
  compacted: Compacted,
  given: { written: WrittenFile; harness: Harness; goesTo: GoesTo; now: number },
  io: Io,
): Promise<number> {
  const { written, goesTo } = given
  const done = await install(written, given, io)
  if (work.settings.form === 'json') {
    const tokens = { before: work.before, after: compacted.after }
    await io.stdout.write(`${safeJson(installJson(written.session, done, goesTo, tokens))}\n`)
    return exitCodes.done
  }
  await report(work, compacted, installFacts(done, goesTo, io), io)
  await io.stderr.write(`${beforeCommands(done, goesTo)}\n`)
  await io.stdout.write(`${commandLines(done, goesTo, io).join('\n')}\n`)
  return exitCodes.done
}

async function report(
  work: Work,
  compacted: Compacted,
  more: readonly Fact[],
  { stderr, env }: Io,
): Promise<void> {
  const shown = { paint: paintFor(stderr, env), width: stderr.columns(), more }
  await stderr.write(`${reportLines(work, compacted, shown).join('\n')}\n`)
}
