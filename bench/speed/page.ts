import type { Share } from './profile.ts'
import type { Row } from './tell.ts'

/** Figures that were measured together. */
export interface Part {
  name: string
  ended: string
  /** How many processes waited for a processor, on average over a minute. */
  load: number
  rows: readonly Row[]
}

/** What `npm run bench:speed -- --record` writes. */
export interface SpeedRecord {
  machine: string
  parts: readonly Part[]
  profiles: { cold: readonly Share[]; open: readonly Share[] }
}

/** Why a figure is what it is, beside the row of which it is told: what a row begins with. */
export const reasons: readonly { of: readonly RegExp[]; why: string; text: string }[] = [
  {
    of: [/^plan, facts, summary and render/],
    why: 'Why a log that is new costs more than five times its JSON.',
    text: `\`JSON.stringify\` copies text that
needs no escape as fast as memory goes, and looks at none of it. A compaction looks at each character
twice, to count it (\`tokens\`) and to find the names in it (\`facts/names\`), and a third time where
somebody said it. These looks are about a third of its time, by the table; the row above says what a
single one takes. The rest is per entry: a step, a fact, a size and a place in a map for each of them,
spread over a dozen folders, and collecting what that leaves behind. Without all of it, the looks
alone would take four to five times the JSON. What was tried and kept: words are
looked up instead of being taken apart again, prose and announcements are recognized by their
characters before a pattern is asked, what is told of a session is read once for all the summaries
that a compaction tries, and what only announces the next step is not weighed for it. **The limit:** a
summary takes what is newest, but a reader cannot begin at the end and stop: changed files and what the
human said count from the first entry on, a name ranks by all its uses, and the facts must be the same
whether a log was read at once or as it came. What would help further is one pass for counting and
names, which would tie the two floors together.`,
  },
  {
    of: [/^the same in a session that was open/],
    why: 'Why a session that was open costs more than half of its JSON.',
    text: `Nothing is read again: facts,
counts, statements, steps and what each part is are known before. What remains is the summary
(\`summary/local\`), planning what stays and what goes (\`cut\`, \`plan\`), and the garbage of both: the
names and files that the facts hold, some thousands, are weighed and put in order as far as they are
listed, each entry that goes is told by its ref, and the summary is composed up to three times where
the tail may grow into what the first one leaves. How many names fit is found by listing a few numbers
of them, none of which is much more than what fits, however many there are. Of what was said, only
that is weighed of which a summary may tell something; the rest, which is most of it, only shares its
words, and these are counted as it comes. **The limit:** half of the
JSON is three to five milliseconds, for ten thousand entries each of which has its place in the plan;
what is left is spread over all of that.`,
  },
  {
    of: [/^throughline /, /^a hook of/, /^the first in its process/],
    why: 'Why a process that does one thing takes longer.',
    text: `Its code runs once, so most of it is
interpreted, and what the compiler makes of it in other threads comes too late to be used. The rest is
loading the code and reading the facts. Both keep their compiled code, so the first start takes longer
than those measured. \`list\` and \`search\` look at each
session's time and size, and at the beginning and end of those that they show.`,
  },
  {
    of: [/^aiSdkCompaction in its own functions/, /^each later one/],
    why: 'Why a step still looks at all messages.',
    text: `It reads, converts and checks only those that are new. But an
agent may change a message in place, so it is compared with what it was: that fetches each from memory.`,
  },
  {
    of: [/^a step near/],
    why: 'Why a late step may cost more than an early one.',
    text: `Append, gate and context take the same. What
grew with a session was the search for the names that fit into a summary, and for the human messages
that stay: both are bounded by the room now, and not by what there is. What may still grow is what the
facts hold, up to their bounds.`,
  },
  {
    of: [/^compactionMiddleware adds/],
    why: "Why `compactionMiddleware` costs more than LangChain's own.",
    text: `LangChain's counts characters and keeps
nothing. Ours reads each message once, in the first step, counts its tokens and stores it. At each
later step it compares every message with what it was, at any depth, because an agent may change a
message in place, and it stores what is new before the tools run. The comparing is two fifths of a later
step; it allocates nothing and reads no text that is still the same, so most of it is fetching some
thousands of objects from memory. A hash or a look at the object alone would not see such a change. What a middleware's hook adds by
itself, as a node of LangChain's graph, is in both figures. What was tried and kept: what is compared
of a message lies in one place, what did not change is not copied, and a list is copied once and not
grown, so that a step takes about a quarter of the memory that it took.`,
  },
  {
    of: [/^run with aiSdkStep adds/, /^aiSdkCompaction adds/, /^of its own time/],
    why: 'Why a step of the AI SDK costs more than a few percent.',
    text: `The SDK's own step is short where the model
answers at once, as it does here: beside a model that takes seconds none of this can be seen. What is
added hardly grows with the conversation. It is the work of a step that is kept: the entries of others
are read, the answer is appended before the tools run and its results behind them, the next request is
measured, and each of these waits for a store that may be slow. A third of what \`aiSdkCompaction\` adds
is its first step's, which finds the 1,000 messages of the host in the log, by their content, once.`,
  },
  {
    of: [/^the same with the array/],
    why: 'Why a step with the array of the request grows.',
    text: `The array belongs to the caller, who may add to it or
cut it, so it is a copy of as many pointers as there are messages. Nothing else grows: append and gate
take no longer in a long session. The rest is the garbage collector, which comes more often the more
is copied, and each time looks at what is young.`,
  },
  {
    of: [/^append to the SQLite store/, /^index [\d,]+ entries/],
    why: 'Why an append is slower than one with bare SQLite.',
    text: `Most of its time is the disk's, which writes the
pages of two tables. In processor time, with files in memory, appending a step takes 69 µs, with bare
SQLite 33 µs. No part of the difference is large: about 5 µs each for the second table and for looking
whether another process has written or is a newer version; 4 each for the checksum and for a copy of the
entry that shares nothing with the caller's; the rest for waiting its turn, and for pausing where there is
much. Each is a promise, and without the first four it would still be 0.65 of the bare one. A search
brings its index up to date 200,000
characters at a time, so that neither this process nor others wait for it; larger pieces would come
nearer to bare FTS5.`,
  },
]

const shown = 12

/** `docs/speed.md`, from recorded figures alone. */
export function speedPage({ machine, parts, profiles }: SpeedRecord): string {
  const rows = parts.flatMap((part) => part.rows)
  const when = parts.map(({ name, ended, load }) => `${name} ${ended}, ${load.toFixed(1)}`)
  return `# Speed

For those who want to know what it costs in time. Measured by \`npm run bench:speed -- --record\` (${machine}). Each figure is the median of its rounds,
with the least and the most. Where it is a ratio, both sides were measured in the same round. Times are
processor time, so other work on the machine counts less. [speed.json](speed.json) holds all figures.
The store is measured by the same command against bare \`node:sqlite\`, in the time of a clock: disks
take their part.

When each part ended, and how many processes then waited for a processor: ${when.join('; ')}. Above one
for each processor, caches are shared with other work, and ratios to what is only copied are larger
than on a quiet machine.

**At best** is the limit: what this machine took in the same run for the least that anybody could do
here, or what nobody can go below.

${table(
  ['what', 'figure', 'wanted', 'met', 'at best', 'the limit'],
  rows.map((row) => [
    row.what.trim(),
    written(row.figure, row),
    row.goal
      ? 'most' in row.goal
        ? `≤ ${round(row.goal.most)}`
        : `≥ ${round(row.goal.least)}`
      : '',
    row.goal ? (isMet(row) ? 'yes' : '**missed**') : '',
    row.limit ? written(row.limit.figure, row) : '',
    row.limit?.what ?? '',
  ]),
)}

## Where the time of a compaction goes

The same session of 10,000 entries, profiled in a process that has compacted others before. Shares are
of the time in Throughline's own code, by folder of \`packages/throughline/src\`.

${table(
  ['a log that nobody has read yet', 'share'],
  profiles.cold.slice(0, shown).map(({ where, share }) => [where, percent(share)]),
)}

${table(
  ['a session that was open while it grew', 'share'],
  profiles.open.slice(0, shown).map(({ where, share }) => [where, percent(share)]),
)}

${reasons.map(({ why, text }) => `**${why}** ${text}`).join('\n\n')}

**The first compaction of a process** also pays for the compiler, which is most of its time. A command
that compacts once and ends is in that row.
`
}

/** Whether a figure is what was wanted; also where nothing was. */
export function isMet({ goal, figure }: Row): boolean {
  if (!goal) return true
  return 'most' in goal ? figure.median <= goal.most : figure.median >= goal.least
}

function written({ median, min, max }: Row['figure'], { unit, digits = 2 }: Row): string {
  const figure = median.toFixed(digits)
  const spread = min === max ? '' : ` [${min.toFixed(digits)}–${max.toFixed(digits)}]`
  return `${figure}${spread} ${unit}`
}

function round(value: number): string {
  return `${Number(value.toFixed(2))}`
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)}%`
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [head, ...rows]
  const widths = head.map((_, column) =>
    Math.max(...all.map((row) => [...(row[column] ?? '')].length)),
  )
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, column) => cell + ' '.repeat((widths[column] ?? 0) - [...cell].length)).join(' | ')} |`
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n')
}
