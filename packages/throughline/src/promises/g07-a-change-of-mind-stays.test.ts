import { describe, expect, it } from 'vitest'
import { compact } from '../compaction/compact.ts'
import { renderContext } from '../compaction/render/render.ts'
import { summaryAsUser } from '../compaction/render/summary-block.ts'
import { defaultPolicy } from '../compaction/policy.ts'
import { closedCircuitBreaker } from '../compaction/summary/with-model/circuit-breaker.ts'
import { factsOf } from '../facts/facts-of.ts'
import { writtenAndRead } from '../formats/testing/written-and-read.ts'
import { writers } from '../formats/testing/writers.ts'
import { chronological, type Chronological } from '../log/order.ts'
import { contextOf } from '../log/context/context.ts'
import { logOf } from '../session/once/log-of-messages.ts'
import { planInputFor } from '../session/once/plan-input.ts'
import { assistant, human, logFrom, step } from '../testing/generate/build.ts'
import type { Drafts } from '../testing/generate/build.ts'
import type { Entry } from '../log/entry.ts'

const policy = { ...defaultPolicy, keep: () => 6_000 }

/** What was said first, and what changed it. */
const changes: readonly [string, string][] = [
  ['Do not commit anything.', 'Actually, commit after each module.'],
  ['Ne supprime jamais les journaux.', 'Tu peux supprimer les journaux.'],
  ['Ніколи не видаляй записи.', 'Забудь правило про записи.'],
]

const work = (round: number): Drafts[] => [
  step(`r${round}`, 'Read', { file_path: `src/a${round}.ts` }, `call${round}()\n`.repeat(300)),
  assistant(`Part ${round} is done.`),
]

const generations: readonly Drafts[][] = [
  [human(`Build it. ${changes.map(([rule]) => rule).join(' ')}`), ...work(0)],
  [human('Go on.'), ...work(1)],
  [human(changes.map(([, change]) => change).join('\n')), ...work(2)],
  ...[3, 4, 5, 6].map((round) => [human(`Go on with part ${round}.`), ...work(round)]),
]

async function compacted(log: Chronological): Promise<Chronological> {
  const input = planInputFor(log, { window: { context: 200_000 }, policy })
  const { drafts } = await compact({ ...input, trigger: 'manual' }, {
    now: 0,
    circuitBreaker: closedCircuitBreaker(),
  } as Parameters<typeof compact>[1])
  return withEntries(log, drafts)
}

function withEntries(log: Chronological, drafts: readonly object[]): Chronological {
  const newest = log.at(-1)?.seq ?? 0
  const added = drafts.map((draft, at) => ({ ...draft, seq: newest + at + 1 }) as Entry)
  return chronological([...log, ...added])
}

const ways: readonly [string, (log: Chronological) => Promise<Chronological>][] = [
  ['one process', (log) => Promise.resolve(log)],
  [
    'the messages of its context alone',
    (log) => Promise.resolve(logOf(renderContext(contextOf(log).items, summaryAsUser).messages)),
  ],
  ...writers.map(({ writer, format }): (typeof ways)[number] => [
    `the file of ${format.name}`,
    async (log) => (await writtenAndRead(log, { writer, format })).log,
  ]),
]

describe.each(ways)('G7: what the human changed their mind about, through %s,', (_, travel) => {
  it('stays changed in every generation', async () => {
    let log = chronological([])
    for (const [round, said] of generations.entries()) {
      log = await compacted(withEntries(round === 0 ? log : await travel(log), logFrom(said)))
    }
    const { rules } = factsOf(await travel(log))
    const inForce = rules.filter(({ retractedBy }) => retractedBy === undefined)
    expect(inForce.map(({ text }) => text)).toEqual(['Actually, commit after each module.'])
    const taken = rules.filter(({ retractedBy }) => retractedBy !== undefined)
    expect(taken.map(({ text }) => text)).toEqual(changes.map(([rule]) => rule))
  })
})
