import { goalsOf, type GatewayFigures } from './figures.ts'
import { printSpread } from '../speed/spread.ts'
import { connectionsEach, needsOf, usualFleet } from './needs.ts'
import { count, digits, megabytes, percent, table } from './page-tables.ts'
import type { Latency } from './latency.ts'

/** The page: what was measured, whether it was enough, and what a fleet needs. */
export function sizingPage(figures: GatewayFigures): string {
  const { on, measured, window, throughput, latency, streams, stall, memory, replicas, cost } =
    figures
  const { programs } = streams
  const fleet = usualFleet
  const needs = needsOf(figures, fleet)
  return [
    '# Sizing the gateway',
    '',
    `For those who run the gateway for many. Measured ${runsOf(measured)} (${on}), on a machine that client, provider, gateway and other work share. Every part says the machine’s load meanwhile: with more than one waiting for each processor, times are longer than they would be alone, and shares say more than times. [gateway-speed.json](gateway-speed.json) holds all figures.`,
    '',
    '## What was to be reached',
    '',
    ...table(
      ['what', 'goal', 'reached', ''],
      goalsOf(figures).map(({ what, goal, reached, met }) => [
        what,
        goal,
        reached,
        met ? 'met' : '**missed**',
      ]),
    ),
    '',
    `“Compaction off” is the same program with \`when: never\`; the plain pass-through is hono and undici and nothing else. A window here has ${count(window)} tokens. A session far below its window is not looked at. From a quarter of it on, the gateway finds the session of each request. One that only adds to the request before and surely fits is sent on at once, and its log is written behind the answer, for all requests of some seconds together, in a thread of its own. One for which a compaction is due goes out at once as well, and so do those that come while it is made, as long as they take no more than a quarter of what is reserved for the answer: it is made behind the answer, and the first request after it says so. Any other is read, recognized, measured and stored before it is sent: the first one of a session, and the one that grows by more than that. Whether one is due is told by what the provider has counted for the request before and by how many bytes were a token there. To compact is work that the program with compaction off does not do, since there the provider refuses the request: a share of 0.9 cannot be reached where one request in sixteen is compacted. What it costs is spread over all of its parts, none of which is more than a fifth: reading what is new into facts and the log, planning what goes, writing it, and the collection of what that leaves behind.`,
    '',
    '## Throughput',
    '',
    ...table(
      [
        'sessions',
        'KiB a request',
        'gateway, requests/s',
        'off',
        'plain',
        'gateway, ms of processor',
        'off',
        'plain',
        'load',
      ],
      throughput.map((one) => [
        one.name,
        digits(one.bytes / 1_024),
        digits(one.programs.gateway.requestsPerSecond.median),
        digits(one.programs.off.requestsPerSecond.median),
        digits(one.programs.plain.requestsPerSecond.median),
        digits(one.programs.gateway.cpuPerRequest.median),
        digits(one.programs.off.cpuPerRequest.median),
        digits(one.programs.plain.cpuPerRequest.median),
        digits(one.load),
      ]),
    ),
    '',
    '## Time until the end of an answer, in milliseconds',
    '',
    'The very same request goes to all three, one right after the other.',
    '',
    ...table(
      [
        'sessions',
        'gateway p50',
        'off p50',
        'plain p50',
        'gateway p99',
        'off p99',
        'plain p99',
        'a compaction, p50',
        'load',
      ],
      latency.map((one) => [
        one.name,
        digits(one.p50.gateway),
        digits(one.p50.off),
        digits(one.p50.plain),
        digits(one.p99.gateway),
        digits(one.p99.off),
        digits(one.p99.plain),
        one.compacted.count === 0 ? 'none' : digits(one.compacted.p50),
        digits(one.load),
      ]),
    ),
    '',
    ...kindsOf(latency),
    `## ${streams.atOnce} streams at once`,
    '',
    ...table(
      ['', 'whole', 'an event is late by, p50', 'p99', 'processors', 'KiB a stream'],
      (['gateway', 'off', 'plain'] as const).map((kind) => [
        kind,
        String(programs[kind].whole),
        `${digits(programs[kind].late.p50)} ms`,
        `${digits(programs[kind].late.p99)} ms`,
        digits(programs[kind].cpu),
        digits(programs[kind].memory / 1_024),
      ]),
    ),
    '',
    `Each request has ${digits(streams.bytes / 1_024)} KiB; ${count(streams.eventsPerSecond)} events in a second; load ${digits(streams.load)}.`,
    '',
    ...stallOf(stall),
    '## Memory',
    '',
    `${memory.minutes === 1 ? 'A minute' : `${memory.minutes} minutes`} of sessions that come and go, ${count(memory.requests)} requests: from ${megabytes(memory.rss[0])} MB to ${megabytes(memory.rss.at(-1))} MB, the last third ${digits(memory.growth)} × the second.`,
    '',
    '## What replicas add',
    '',
    'On one Postgres, which runs on the same two processors. Two replicas cannot give more there; what they cost can be seen. A balancer that keeps an agent at one replica spares it to read what the other one has written.',
    '',
    ...table(
      [
        'replicas',
        'requests go',
        'requests/s',
        'ms of processor',
        'p50, ms',
        'p99, ms',
        'transactions',
        'load',
      ],
      replicas.map((one) => [
        String(one.replicas),
        one.spread,
        digits(one.requestsPerSecond),
        digits(one.cpuPerRequest),
        digits(one.p50),
        digits(one.p99),
        digits(one.statements),
        digits(one.load),
      ]),
    ),
    '',
    '## What it saves',
    '',
    'By the receipts of a scripted provider that bills as the real ones do, at list prices: an agent whose model takes its whole history, directly and behind a gateway with a smaller window. Both bills have the provider’s own discount for what is in its cache, so that no saving is the provider’s. The gateway’s bill holds its summaries and what a compaction takes out of the cache.',
    '',
    ...table(
      [
        'model',
        'steps',
        'tokens in the end',
        'gap, s',
        'direct, $',
        'from cache',
        'gateway, $',
        'from cache',
        'of it summaries',
        'of it misses',
        'saved',
      ],
      cost.map((one) => [
        one.model,
        String(one.steps),
        count(one.tokens),
        String(one.gap),
        one.direct.dollars.toFixed(2),
        percent(one.direct.cacheRead),
        one.gateway.dollars.toFixed(2),
        percent(one.gateway.cacheRead),
        one.gateway.summaries.toFixed(2),
        one.gateway.misses.toFixed(2),
        percent(one.saved),
      ]),
    ),
    '',
    `## What ${count(fleet.agents)} agents need`,
    '',
    `Each asks every ${fleet.every} seconds and hears its answer for ${fleet.streams} of them; a processor is planned to be busy for ${percent(fleet.busy)}. All figures are those above: requests at the replicas’ own cost with each one at another replica, streams at the cost of the ${streams.atOnce}. Measure yours, and compute again.`,
    '',
    ...table(
      ['what', 'how it is computed', 'needed'],
      [
        [
          'requests in a second',
          `${count(fleet.agents)} / ${fleet.every}`,
          digits(needs.requestsPerSecond),
        ],
        [
          'streams at once',
          `${count(fleet.agents)} × ${fleet.streams} / ${fleet.every}`,
          count(Math.round(needs.streamsAtOnce)),
        ],
        [
          'processors for requests',
          'requests in a second × milliseconds of processor / 1,000',
          digits(needs.processors.requests),
        ],
        [
          'processors for streams',
          `streams at once × processors of ${streams.atOnce} / ${streams.atOnce}`,
          digits(needs.processors.streams),
        ],
        ['replicas, one processor each', `processors / ${fleet.busy}`, String(needs.replicas)],
        [
          'memory of a replica',
          'of the process with its sessions at hand + its streams',
          `${megabytes(needs.memory)} MB`,
        ],
        [
          'transactions of Postgres in a second',
          'requests in a second × transactions',
          count(Math.round(needs.statementsPerSecond)),
        ],
        ['connections to Postgres', `replicas × ${connectionsEach}`, count(needs.connections)],
      ],
    ),
    '',
    ...fleetOf(figures, needs),
  ].join('\n')
}

/** What a large fleet writes to one Postgres. */
function fleetOf(
  { fleet: many }: GatewayFigures,
  { requestsPerSecond, statementsPerSecond }: ReturnType<typeof needsOf>,
): string[] {
  if (!many) return []
  const { replicas, agents, requests, transactions, wal, connections, rows, hottest } = many
  const row = (what: string, each: number): string[] => [
    what,
    digits(each),
    digits(each * requestsPerSecond),
  ]
  return [
    `### ${count(replicas)} replicas on one Postgres`,
    '',
    `${count(requests)} requests of ${count(agents)} agents, which grow from half of their window beyond it in ten requests, each at another one of ${count(replicas)} replicas in one process, with a connection each (${count(connections)} were open at once): what Postgres itself counted, with no clock in it, and that times the ${digits(requestsPerSecond)} requests in a second. No caller had a budget. The row that was changed most is of \`${hottest.table}\`: ${count(hottest.changes)} times, about once for each request of its agent. No row is shared by agents. ${count(many.problems)} requests met a problem and went out as they came.`,
    '',
    ...table(
      ['what', 'for a request', 'in a second'],
      [
        row('transactions', transactions),
        row('bytes of WAL', wal),
        ...Object.entries(rows).flatMap(([name, each]) =>
          each > 0 ? [row(`rows written in \`${name}\``, each)] : [],
        ),
      ],
    ),
    '',
    `These are ${digits(transactions * requestsPerSecond)} transactions in a second, and the table before has ${digits(statementsPerSecond)}, because the loads differ. There, agents live from their first request on, in short steps, on two replicas: requests far below the window ask Postgres nothing, and both replicas soon know every session. Here, agents begin at half of their window and take long steps: Postgres is asked for each request, a compaction is never far, and each replica must first read what others have written. Plan for these if your agents’ requests are long and go to any of many replicas. A balancer that keeps an agent at one replica needs fewer than both: see “by agent” under what replicas add.`,
    '',
  ]
}

/** Which runs the parts are of: a comparison is always of one run. */
function runsOf(measured: GatewayFigures['measured']): string {
  const runs = new Map<string, string[]>()
  for (const [part, { at, options }] of Object.entries(measured)) {
    const run = `\`npm run bench:gateway -- ${options}\` (ended ${at.replace('T', ' ')} UTC)`
    runs.set(run, [...(runs.get(run) ?? []), part])
  }
  return [...runs].map(([run, parts]) => `${parts.join(', ')} by ${run}`).join('; ')
}

const kindNames: Readonly<Record<string, string>> = {
  nothing: 'goes out as it came',
  kept: 'stands under a checkpoint',
  compacted: 'is compacted, or comes next',
}

/** What a long session costs everyone else. */
function stallOf(stall: GatewayFigures['stall']): string[] {
  if (!stall) return []
  const { messages, bytes, streams, programs, load } = stall
  return [
    `## While a session of ${count(messages)} messages is compacted`,
    '',
    `${count(streams)} other streams run meanwhile. Its request has ${digits(bytes / 1_024)} KiB, and is compacted at once; load ${digits(load)}. Times in milliseconds, with spreads over the rounds.`,
    '',
    ...table(
      ['', 'the event loop stood still for', 'an event of another stream was late by', 'it took'],
      (['gateway', 'here'] as const).map((kind) => [
        kind === 'gateway' ? 'in a thread of its own' : 'all in one thread',
        printSpread(programs[kind].loop, 0),
        printSpread(programs[kind].late, 0),
        printSpread(programs[kind].took, 0),
      ]),
    ),
    '',
  ]
}

/** What the gateway adds to each kind of request. */
function kindsOf(latency: readonly Latency[]): string[] {
  const rows = latency.flatMap(({ name, kinds = {} }) =>
    Object.entries(kinds).map(([kind, { count: many, p50, p99 }]) => [
      name,
      kindNames[kind] ?? kind,
      digits(many),
      digits(p50),
      digits(p99),
    ]),
  )
  if (rows.length === 0) return []
  return [
    'What the gateway adds to each over the program with compaction off, by what it does for it:',
    '',
    ...table(['sessions', 'the request', 'how many', 'p50, ms', 'p99, ms'], rows),
    '',
  ]
}
