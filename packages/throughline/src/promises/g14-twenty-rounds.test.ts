import { describe, expect, it } from 'vitest'
import { compact } from '../compaction/compact.ts'
import { renderContext } from '../compaction/render/render.ts'
import { summaryAsUser } from '../compaction/render/summary-block.ts'
import { contextOf } from '../log/context/context.ts'
import { chronological, type Chronological } from '../log/order.ts'
import { defaultPolicy } from '../compaction/policy.ts'
import { closedCircuitBreaker } from '../compaction/summary/with-model/circuit-breaker.ts'
import { planInputFor } from '../session/once/plan-input.ts'
import { assistant, human, logFrom, step } from '../testing/generate/build.ts'
import { writers } from '../formats/testing/writers.ts'
import { writtenAndRead } from '../formats/testing/written-and-read.ts'
import type { Entry } from '../log/entry.ts'
import type { Drafts } from '../testing/generate/build.ts'

const rounds = 20
const keep = 6_000
const policy = { ...defaultPolicy, keep: () => keep }

/** Work whose newest output says what no sentence of the session does. */
const session: Drafts[] = [
  ...Array.from({ length: 12 }, (_, at): Drafts[] => [
    human(`Why does the module area${at} fail?`),
    step(`r${at}`, 'Read', { file_path: `src/area${at}.ts` }, `call${at}()\n`.repeat(300)),
    assistant(`The module area${at} fails because its registry number ${at * 7} is taken.`),
  ]).flat(),
  human('Look at the registry.'),
  step('last', 'Read', { file_path: 'src/registry.ts' }, 'const firstFree = 4711\n'),
]

/** What a round adds: talk of about 250 tokens. */
const talk = (round: number): Drafts[] => [
  human(`Go on with step ${round}.`),
  assistant(`Step ${round} is done. `.repeat(60)),
]

async function compacted(log: Chronological): Promise<Chronological> {
  const input = planInputFor(log, { window: { context: 200_000 }, policy })
  const { drafts, report } = await compact({ ...input, trigger: 'manual' }, {
    now: 0,
    circuitBreaker: closedCircuitBreaker(),
  } as Parameters<typeof compact>[1])
  if (report.action !== 'none') expect(report.after).toBeLessThanOrEqual(keep)
  return withEntries(log, drafts)
}

function withEntries(log: Chronological, drafts: readonly object[]): Chronological {
  const newest = log.at(-1)?.seq ?? 0
  const added = drafts.map((draft, at) => ({ ...draft, seq: newest + at + 1 }) as Entry)
  return chronological([...log, ...added])
}

async function after(
  times: number,
  travel: (log: Chronological) => Promise<Chronological>,
): Promise<string> {
  let log = await compacted(logFrom(session))
  for (let round = 1; round < times; round++) {
    log = await compacted(withEntries(await travel(log), logFrom(talk(round))))
  }
  return seen(log)
}

function seen(log: Chronological): string {
  return JSON.stringify(renderContext(contextOf(log).items, summaryAsUser).messages)
}

const ways: readonly [string, (log: Chronological) => Promise<Chronological>][] = [
  ['one process', (log) => Promise.resolve(log)],
  ...writers.map(({ writer, format }): (typeof ways)[number] => [
    `the file of ${format.name}`,
    async (log) => (await writtenAndRead(log, { writer, format })).log,
  ]),
]

describe.each(ways)('G14: 20 rounds of talk through %s', (_, travel) => {
  it('leave what was found, what the newest call brought, and one marker at most for each gap', async () => {
    const once = await after(1, travel)
    const last = await after(rounds, travel)
    expect(last).toContain('firstFree = 4711')
    for (let at = 0; at < 12; at++) {
      const found = `registry number ${at * 7} is taken`
      expect(last.includes(found), found).toBe(once.includes(found))
    }
    // Markers of earlier rounds go with what they stood for.
    expect(
      last.match(/left out here; the summary|left out here, entries/g)?.length ?? 0,
    ).toBeLessThan(4)
    expect(last.match(/The assistant had just said/g)?.length ?? 0).toBeLessThan(3)
  })
})

describe.each(ways)('G14: compacting again through %s', (name, travel) => {
  const written = Array.from({ length: 130 }, (_, at) => `export const port${at} = ${at * 13}`)
  const withWork: Drafts[] = [
    // More than a summary has room for.
    ...Array.from({ length: 150 }, (_, at): Drafts[] => [
      human(`Why does the service number ${at} not start?`),
      assistant(
        `Because port${at * 3} is held by worker${at * 7}, which waits for lock${at * 11}.`,
      ),
    ]).flat(),
    human('Write down the ports.'),
    step('w', 'Write', { file_path: 'src/ports.ts', content: written.join('\n') }, 'created'),
  ]

  it('settles where nothing was said since: at once, or after five rounds through a file', async () => {
    let log = await compacted(logFrom(withWork))
    const first = seen(log)
    // A file does not tell what was said since: what is apart from the turns goes first, then older talk
    // that the first summary left room for.
    const rounds = name === 'one process' ? 1 : 5
    for (let round = 0; round < rounds; round++) log = await compacted(await travel(log))
    if (name === 'one process') expect(seen(log)).toBe(first)
    expect(seen(await compacted(await travel(log)))).toBe(seen(log))
  })
})

describe.each(ways)('G14: five rounds of talk through %s', (name, travel) => {
  it('leave names with their files, and what Git said of the newest push', async () => {
    const git = (id: string, command: string, output: string): Drafts[] => [
      step(id, 'Bash', { command }, output),
    ]
    let log = await compacted(
      logFrom([
        human('Add the reader of invoices.'),
        step('w', 'Read', { file_path: 'src/invoice.ts' }, 'parseInvoice()\nroundCents()\n'),
        step('e', 'Edit', { file_path: 'src/invoice.ts', old_string: '1', new_string: '2' }, 'ok'),
        ...git(
          'c1',
          'git commit -m "Read invoices"',
          '[main 1a2b3c4] Read invoices\n 1 file changed',
        ),
        ...git('p', 'git push', 'To host:app.git\n   0a1b2c3..1a2b3c4  main -> main'),
        ...git('c2', 'git commit -m "Round them"', '[main 5d6e7f8] Round them\n 1 file changed'),
        ...session,
      ]),
    )
    for (let round = 1; round <= 5; round++) {
      log = await compacted(withEntries(await travel(log), logFrom(talk(round))))
    }
    const text = seen(log)
    // A ref to the entry that holds the summary would read back nothing more.
    if (name !== 'one process') expect(text).not.toContain(' [1]')
    expect(text).toMatch(/- src\/invoice\.ts \(edited, read\)[^:]{0,12}: [^\\]*parseInvoice/)
    expect(text).toContain('5d6e7f8 Round them; 1a2b3c4 Read invoices; not pushed since')
  })
})
