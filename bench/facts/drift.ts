import { markText, keptText, shareOf, type Compactor, type Sitting } from 'throughline/evaluation'
import { harnesses, readSession, writtenSession, type Harness } from 'throughline/formats'
import { chronological, type Chronological } from 'throughline/engine'
import { memoryLedger, type Ledger } from '../../packages/throughline/src/ledger/ledger.ts'
import { noteWritten } from '../../packages/throughline/src/formats/writing/note-written.ts'

/** What is left of the facts when a session is compacted again and again. */
export interface Drift {
  /** In one process, or through the files of a harness. */
  through: string
  keep: number
  /** How many sentences were said between two compactions. */
  sentences: number
  /** The mean share of the facts after the first compaction and after the last. */
  first: number
  last: number
  /** The same where all that was said is compacted once: what new words cost, however often it is. */
  once: number
}

/** How often each session is compacted. */
export const driftRounds = 20

/** How much is said between two compactions: a sentence, or about 250 tokens. */
export const sentencesBetween = [1, 60] as const

/** Doors that a session leaves and comes back by; without a ledger, nobody vouches for a summary. */
const doors: readonly { through: string; harness?: Harness; ledger?: Ledger }[] = [
  { through: 'one process' },
  ...harnesses.map((harness) => ({ through: harness.name, harness, ledger: memoryLedger() })),
  ...harnesses.slice(0, 1).map((harness) => ({ through: 'a file of another machine', harness })),
]

/** Compacts each session again and again: in one process, and through each harness's own file. */
export async function measureDrift(
  compactor: Compactor,
  sittings: readonly Sitting[],
  { keep, sentences }: { keep: number; sentences: number },
): Promise<Drift[]> {
  const rows: Drift[] = []
  let once = 0
  for (const { exam, session } of sittings) {
    let { log } = session
    for (let round = 1; round < driftRounds; round++) log = withTurn(log, { round, sentences })
    const compacted = await compactor.compact({ log, keep, directories: session.directories })
    once += shareOf(markText(exam, keptText(compacted))) / sittings.length
  }
  for (const { through, harness, ledger } of doors) {
    let first = 0
    let last = 0
    for (const { exam, session } of sittings) {
      const { directories } = session
      let { log } = session
      for (let round = 1; round <= driftRounds; round++) {
        const compacted = await compactor.compact({ log, keep, directories })
        const share = shareOf(markText(exam, keptText(compacted)))
        if (round === 1) first += share / sittings.length
        if (round === driftRounds) last += share / sittings.length
        const travelled = harness
          ? await throughFile(harness, compacted.log, ledger)
          : compacted.log
        log = withTurn(travelled, { round, sentences })
      }
    }
    rows.push({ through, keep, sentences, first, last, once })
  }
  return rows
}

/** The log as it comes back from a file that the harness could resume. */
async function throughFile(
  { writer }: Harness,
  log: Chronological,
  ledger: Ledger | undefined,
): Promise<Chronological> {
  const facts = { id: uuid(0), directory: '/home/me/work' } as Parameters<typeof writtenSession>[1]
  let ids = 0
  const written = writtenSession(log, facts)
  if (ledger) noteWritten(ledger, written, { log, now: 1_700_000_000_000 })
  const { text } = writer.write(written, {
    session: uuid(0),
    newId: () => uuid(++ids),
    now: 1_700_000_000_000,
    directory: '/home/me/work',
  })
  return (await readSession([Buffer.from(text)], ledger ? { ledger } : {})).log
}

function uuid(number: number): string {
  return `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`
}

/** One turn more, so that there is something to compact. */
function withTurn(
  log: Chronological,
  { round, sentences }: { round: number; sentences: number },
): Chronological {
  const seq = log.at(-1)?.seq ?? 0
  const said = (text: string, role: 'user' | 'assistant', at: number): Chronological[number] => ({
    kind: 'message',
    seq: seq + at,
    at: 0,
    origin: role === 'user' ? 'human' : 'model',
    message: { role, content: text },
  })
  return chronological([
    ...log,
    said(`Go on with step ${round}.`, 'user', 1),
    said(`Step ${round} is done. `.repeat(sentences), 'assistant', 2),
  ])
}
