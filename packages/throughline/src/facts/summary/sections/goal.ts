import { messagesLabel, ofAgent, standLabel } from '../../labels.ts'
import { backgroundIn, backgroundLines } from '../../background/told-background.ts'
import { unfoldRepeated } from '../../human/repeated.ts'
import { labeled } from '../../../log/speaker.ts'
import { itemAt, noteCommit, refMark, withoutRef } from '../../statements/note-statements.ts'
import { humanMessages, latestRequest } from '../human-messages.ts'
import { openTodos, whereItStands } from '../now.ts'
import { readCommand, readTodo } from '../read-lines.ts'
import { isQuotedHead, placed } from '../local-summary.ts'
import { rules } from './instructions.ts'
import type { FactsState } from '../../fold-memory.ts'
import type { RequestFact } from '../../facts.ts'
import type { Seq } from '../../../log/entry.ts'
import type { Part, SummarySection } from './section.ts'

/** The size of the request in the smallest of summaries, in tokens. */
const smallestLatest = 24

/** The newest request, word for word. */
export const latest: Part = {
  turn: 2,
  write({ facts, room, beside, tokens }) {
    const share = Math.max(Math.floor(tokens * 0.12), smallestLatest)
    return latestRequest(facts, { room, tokens: Math.min(share, room.left), beside })
  },
}

const background: Part = {
  turn: 3,
  write: ({ facts, room, tokens, count }) =>
    room.take(backgroundLines(facts, { tokens: Math.floor(tokens * 0.15), count })),
}

const open: Part = {
  turn: 5,
  write: ({ facts, room, tokens }) => openTodos(facts, room, Math.floor(tokens * 0.05)),
}

/** Where the work stands. */
export const stands: Part = {
  turn: 6,
  write: ({ facts, room, beside, tokens }) =>
    whereItStands(facts, { room, tokens: Math.floor(tokens * 0.07), beside }),
}

/** What the human said before the newest request. */
export const said: Part = {
  turn: 7,
  write: ({ facts, room, beside, tokens, linesOf }) =>
    humanMessages(facts, {
      room,
      tokens: Math.floor(tokens * 0.25),
      beside,
      rules: linesOf(rules),
    }),
}

export const goal = {
  heading: 'Goal',
  guide:
    'What the user is ultimately trying to accomplish, in one sentence, and the latest request if it is a different one.',
  otherNames: `
    goals, objective, objectives, user goal, user’s goal, user's goal, main goal, the goal,
    overall goal, primary request and intent, primary goal, task, mục tiêu, 目标, 目標, 目的, ゴール,
    목표, 목적, цель, цели, задача, objetivo, objetivos, meta, ziel, ziele, objectif, objectifs,
    but,
    obiettivo, obiettivi, scopo, cel, cele, doel, doelen, doelstelling, amaç, hedef, الهدف,
    الأهداف, هدف, लक्ष्य, उद्देश्य, мета, цілі, tujuan, sasaran, mål, cíl, เป้าหมาย, user intent,
    intent, primary request
  `,
  parts: [latest, background, open, stands, said],
  read: {
    own(facts, body, seq) {
      readRequests(facts, body, seq)
      readStand(facts, body, seq)
      readOpen(facts, body, seq)
    },
    any(facts, body, seq) {
      readBackground(facts, body, seq)
      readLatest(facts, body, seq)
    },
  },
  cutAs: 5,
} as const satisfies SummarySection

/** The requests, oldest first: the summary has the latest before the others. */
function readRequests(facts: FactsState, goal: string, seq: Seq): void {
  const lines = goal.split('\n')
  const said: string[] = []
  const latest: Omit<RequestFact, 'seq'>[] = []
  let listed = true
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? ''
    if (isQuotedHead(line)) {
      const quoted: string[] = []
      while (lines[at + 1]?.startsWith('>') === true) {
        quoted.push((lines[++at] ?? '').replace(/^> ?/, ''))
      }
      // What stands below is read where it stands.
      if (placed.test(line)) continue
      if (line.startsWith('The session began')) said.push(quoted.join('\n'))
      else latest.push({ text: quoted.join('\n'), ...(line.includes(ofAgent) && { by: 'agent' }) })
    } else if (line === messagesLabel || line === 'In between:') listed = true
    else if (line.startsWith('- ') && listed) {
      const item = itemAt(lines, at)
      at = item.last
      said.push(...unfoldRepeated(withoutRef(item.text)))
    } else if (!line.startsWith('- ')) listed = false
  }
  for (const request of [...said.map((text) => ({ text })), ...latest]) {
    addRequest(facts, request, seq)
  }
}

function addRequest(facts: FactsState, { text, by }: Omit<RequestFact, 'seq'>, seq: Seq): void {
  const words = text.trim()
  const beginning = words.split('…', 1)[0]?.trim() ?? ''
  const isSame = (known: string): boolean =>
    known === words || (beginning !== words && known.startsWith(beginning))
  const isKnown = (known: RequestFact): boolean => isSame(labeled(known.text, known))
  if (beginning === '' || facts.requests.some(isKnown)) return
  facts.requests.push({ text: words, seq, ...(by && { by }) })
}

/** Where the work stood; what has happened since overrides it. */
function readStand(facts: FactsState, goal: string, seq: Seq): void {
  const lines = goal.split('\n')
  const start = lines.indexOf(standLabel)
  if (start < 0) return
  for (const line of lines.slice(start + 1)) {
    if (!line.startsWith('- ')) return
    const branch = /^- On branch (\S{1,120})/.exec(line)?.[1]
    if (branch !== undefined) facts.repository.branch ??= { name: branch, seq }
    else if (line.startsWith('- `')) readCommand(facts, line.slice(2), seq, 'check')
    else if (line.startsWith('- Newest commits: ')) readCommits(facts, line, seq)
    else if (line.startsWith('- Changed since then: ')) {
      const names = line.slice('- Changed since then: '.length).split(/, | and \d+ more$/)
      for (const name of names) if (name !== '') facts.repository.changed.add(name)
    }
  }
}

function readCommits(facts: FactsState, line: string, seq: Seq): void {
  const told = withoutRef(line.slice('- Newest commits: '.length)).split('; ')
  for (const commit of told.toReversed()) {
    const [, sha, subject] = /^([0-9a-f]{7,40}) (.{1,200})$/.exec(commit) ?? []
    if (sha !== undefined && subject !== undefined) noteCommit(facts, { sha, subject, seq })
    else if (commit === 'pushed') facts.repository.pushedAt = seq
    // A push was seen, and it was older than the newest commit.
    else if (commit === 'not pushed since') facts.repository.pushedAt = seq - 1
  }
}

/** Open work is listed under the goal. */
function readOpen(facts: FactsState, goal: string, seq: Seq): void {
  const lines = goal.split('\n')
  const start = lines.findIndex((line) => line.startsWith('Still open'))
  for (const line of start < 0 ? [] : lines.slice(start + 1)) {
    if (!line.startsWith('- ')) return
    readTodo(facts, withoutRef(line.slice(2)), 'open', seq)
  }
}

/** What ran then may still run; what the log shows of it since stands. */
function readBackground(facts: FactsState, goal: string, seq: Seq): void {
  for (const told of backgroundIn(goal)) {
    if (facts.background.has(told.id)) continue
    facts.background.set(told.id, { ...told, turn: 0, state: 'running', seq })
  }
}

const latestHead = new RegExp(`^Latest request(?:${refMark})?:$`)

/** The human's latest request, if it is nowhere else: the last lines under its label. */
function readLatest(facts: FactsState, goal: string, seq: Seq): void {
  const lines = goal.split('\n')
  const at = lines.findLastIndex((line) => latestHead.test(line))
  const quoted = lines.slice(at + 1)
  if (at === -1 || !quoted.every((line) => line.startsWith('>'))) return
  addRequest(facts, { text: quoted.map((line) => line.replace(/^> ?/, '')).join('\n') }, seq)
}
