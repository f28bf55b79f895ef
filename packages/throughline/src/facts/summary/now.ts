import { standLabel } from '../labels.ts'
import { commandLine, newestChecks } from './commands.ts'
import { clipEnd, oneLine } from './clip-words.ts'
import { sentencesOf } from '../human/sentences.ts'
import { announcedIn, isOffer } from '../statements/says-little.ts'
import { termsOf } from '../statements/terms.ts'
import type { Seq } from '../../log/entry.ts'
import type { Facts } from './known-facts.ts'
import type { Beside } from './beside.ts'
import type { Room } from './room.ts'

/** A list that was not touched for so many messages of the human may be out of date. */
const FEWEST_SINCE = 3
const longestTodo = 200
const longestNext = 300
/** How many of the newest commits are listed, by the room for the state of the work. */
const fewestCommits = 4
const mostCommits = 12
const tokensOfCommit = 50
const mostChanged = 12

/** The state of the work: what is open and what is next, checks, branch, commits, running commands. */
export function whereItStands(
  index: Facts,
  { room, tokens, beside }: { room: Room; tokens: number; beside: Beside },
): string[] {
  const lines = [
    ...next(index, beside),
    ...newestChecks(index).map(commandLine),
    ...repository(index, tokens),
  ]
  return labelled(standLabel, lines, room, tokens)
}

/** How the label of the assistant's own list begins. */
export const openListLabel = "Still open, as the assistant's list last said"

/**
 * What is in progress and what is still to do, by the assistant's own list. Of a list that the human
 * has long spoken past, only what was called open since: work that went on has overtaken the rest. A
 * list whose items are changed one by one outlives its task, and stays.
 */
export function openTodos(index: Facts, room: Room, tokens: number): string[] {
  if (index.todos.length === 0) return []
  const newest = Math.max(...index.todos.map(({ seq }) => seq))
  const since = index.requests.filter(({ seq }) => seq > newest).length
  const isOld = since >= FEWEST_SINCE
  const said = isOld ? saidToBeOpen(index, newest) : []
  const open = index.todos.filter(
    ({ status, text, id }) =>
      status !== 'done' && (!isOld || id !== undefined || said.some((terms) => tells(terms, text))),
  )
  const lines = open.map(({ text, status, seq }) => {
    const state = status === 'active' ? 'in progress' : 'pending'
    return `- ${state}: ${clipEnd(oneLine(text), longestTodo)} [${seq}]`
  })
  const old = isOld ? `, before the last ${since} messages of the human` : ''
  const label = `${openListLabel} [${newest}]${old}:`
  return labelled(label, lines, room, tokens)
}

const OPEN =
  /\b(?:remain(?:s|ing)?|pending|outstanding|open|todo|to[- ]do|left|later|next|follow[- ]?ups?|still (?:needs?|has to|have to|to be)|not (?:yet|been) \w+)\b/i
/** A sentence is about an item if it contains this share of its words. */
const mostOfItem = 0.75

/** What each sentence is about in which the assistant called something open after an entry. */
function saidToBeOpen({ statements }: Facts, after: Seq): ReadonlySet<string>[] {
  return statements
    .filter(({ source, seq }) => seq > after && (source === 'answer' || source === 'remark'))
    .flatMap(({ text }) => sentencesOf(text.slice(-MOST_READ)))
    .filter(({ text }) => OPEN.test(text))
    .map(({ text }) => new Set(termsOf(text)))
}

function tells(terms: ReadonlySet<string>, item: string): boolean {
  const own = termsOf(item)
  return own.filter((term) => terms.has(term)).length >= Math.max(own.length * mostOfItem, 1)
}

function labelled(label: string, lines: readonly string[], room: Room, tokens: number): string[] {
  const taken = room.takeFitting(lines, tokens - room.cost(label))
  return taken.length === 0 ? [] : [...room.take([label]), ...taken]
}

const MOST_READ = 6_000

/**
 * What the assistant said last that it would do, or what it asked or offered the human, unless that
 * still stands beside. That something is about to be looked at is not where the work stands.
 */
function next({ statements, requests }: Facts, beside: Beside): string[] {
  const last = statements.findLast(({ source }) => ['answer', 'remark', 'thought'].includes(source))
  if (last === undefined || beside.includes(last.text.split('\n', 1)[0]?.slice(0, 80) ?? ''))
    return []
  const said = sentencesOf(last.text.slice(-MOST_READ))
  const ends = last.source === 'answer'
  if (ends && (requests.at(-1)?.seq ?? 0) > last.seq) return []
  const offered = ends ? said.findLast(({ text }) => isOffer(text)) : undefined
  if (offered) {
    return [`- Asked or offered last [${last.seq}]: ${clipEnd(offered.text, longestNext)}`]
  }
  const told = said.findLast(({ text }) => ['work', 'doing'].includes(announcedIn(text) ?? ''))
  if (told === undefined) return []
  return [`- Next, as the assistant said [${last.seq}]: ${clipEnd(told.text, longestNext)}`]
}

function repository(
  { repository: { branch, commits, pushedAt, changed } }: Facts,
  tokens: number,
): string[] {
  const lines: string[] = []
  const told = Math.min(Math.max(Math.floor(tokens / tokensOfCommit), fewestCommits), mostCommits)
  if (branch !== undefined) lines.push(`- On branch ${branch.name} [${branch.seq}]`)
  const newest = commits.slice(-told).toReversed()
  if (newest.length > 0) {
    const subjects = newest.map(({ sha, subject }) => `${sha} ${clipEnd(oneLine(subject), 80)}`)
    const pushed =
      pushedAt === undefined
        ? '; no push was seen'
        : pushedAt >= (newest[0]?.seq ?? 0)
          ? '; pushed'
          : '; not pushed since'
    lines.push(`- Newest commits: ${subjects.join('; ')}${pushed} [${newest[0]?.seq}]`)
    if (changed.size > 0) lines.push(`- Changed since then: ${filesIn(changed)}`)
  }
  return lines
}

function filesIn(changed: ReadonlySet<string>): string {
  const names = [...changed].slice(-mostChanged)
  const more = changed.size - names.length
  return `${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}
