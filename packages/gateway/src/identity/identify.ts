import { callsMark, firstMark, hashOf, keyedHash, markAfter, type MarkedBy } from './marks.ts'
import { Turns } from '../body/turns.ts'
import { instructionsSaid } from './said.ts'
import type { Element } from '../body/elements.ts'
import type { Found, GatewayStore, Mark, SessionRow, World } from '../store/gateway-store.ts'
import type { Wire } from '../wires/wire.ts'

export interface Recognized {
  /** The hash of its instructions, and whether it has tools: another one is another agent. */
  instructions: string
  /** The mark of the conversation up to each of its elements, the newest first. */
  heads: readonly Mark[]
  /** The marks of its calls that no other conversation can have, the newest first. */
  calls: readonly Mark[]
}

// A client that changes what it has said keeps at least its newest calls.
const newestCalls = 8

/** What was read of an element before: all of it but what comes anew is the same in the next request. */
interface Known {
  said: string | undefined
  calls: readonly string[]
  /** The mark up to it, for the mark before it. */
  head?: { before: Mark; mark: Mark }
  /** The mark of the calls that it answers. */
  answers?: { calls: string; mark: Mark | undefined }
}

const read = new WeakMap<object, Known>()

function readOnce(wire: Wire, value: Element['value']): Known {
  const before = read.get(value)
  if (before) return before
  const { says, calls } = wire.said(value)
  const said = says === undefined ? undefined : hashOf(JSON.stringify(says))
  const known: Known = { said, calls }
  read.set(value, known)
  return known
}

/** Reads what elements say before anything else needs it, and lets others have their turn meanwhile. */
export async function readAll(wire: Wire, elements: readonly Element[]): Promise<void> {
  const turns = new Turns()
  for (const { value, span } of elements) {
    if (read.has(value)) continue
    readOnce(wire, value)
    if (turns.isOver(span.end - span.start)) await turns.next()
  }
}

/** What a conversation of this owner is known by in a process: it begins with the same words each time. */
export function beginsAs(wire: Wire, elements: readonly Element[], owner: string): string {
  const [first, second = first] = elements
  if (!first || !second) return hashOf(owner, wire.name)
  const words = [first, second].map(({ value }) => readOnce(wire, value).said ?? '')
  return hashOf(owner, wire.name, ...words)
}

/** Reads from a request alone what it is recognized by. */
export async function recognized(
  wire: Wire,
  {
    elements,
    system,
    hasTools = true,
    by,
  }: {
    elements: readonly Element[]
    system: unknown
    hasTools?: boolean
    by: MarkedBy
  },
): Promise<Recognized> {
  const turns = new Turns()
  const instructions = keyedHash(by, JSON.stringify(instructionsSaid(system)) ?? '')
  const heads: Mark[] = []
  let mark = firstMark(by, instructions)
  for (const { value } of elements) {
    const known = readOnce(wire, value)
    if (known.head?.before !== mark) {
      known.head = { before: mark, mark: markAfter(by, mark, known.said) }
    }
    mark = known.head.mark
    heads.push(mark)
    if (turns.isOver(0)) await turns.next()
  }
  return {
    // Who asks for a title of all that was said, is not the agent that goes on with it.
    instructions: hasTools ? instructions : keyedHash(by, 'no tools', instructions),
    heads: heads.toReversed(),
    calls: callMarks(wire, elements, by),
  }
}

// A client may make several at a time, and bring their results one by one.
const newestElements = 32

export function newestCallsOf({
  request: { wire },
  elements,
}: {
  request: { wire: Wire }
  elements: readonly Element[]
}): string[] {
  return elements.slice(-newestElements).flatMap(({ value }) => readOnce(wire, value).calls)
}

/** The marks of the newest calls of a conversation that no other one can have, the newest first. */
export function callMarks(wire: Wire, elements: readonly Element[], by: MarkedBy): readonly Mark[] {
  const marks: Mark[] = []
  const knownAt = (at: number): Known | undefined => {
    const element = elements[at]
    return element && readOnce(wire, element.value)
  }
  let at = elements.length - 1
  while (at > 0 && marks.length < newestCalls) {
    const known = knownAt(at) as Known
    at -= 1
    if (known.calls.length > 0) continue
    // What was called since anything else was said, is what this is the first answer to.
    const open: (readonly string[])[] = []
    for (let before = knownAt(at); before && before.calls.length > 0; before = knownAt(--at)) {
      open.push(before.calls)
    }
    if (open.length === 0) continue
    const ids = open.toReversed().flat()
    const together = JSON.stringify([by, ids])
    if (known.answers?.calls !== together) {
      // With the first thing that they gave: ids alone may be copied from somewhere.
      known.answers = { calls: together, mark: callsMark(by, ids, known.said ?? '') }
    }
    if (known.answers.mark) marks.push(known.answers.mark)
  }
  return marks
}

/** The session of a request. */
export interface Identity {
  id: string
  /** How it was found: `new` begins a session, `fork` goes another way than the one it is from. */
  how: 'new' | 'same' | 'fork'
  /** The mark of the request that it goes on from. */
  from: Mark | undefined
  /** The session that a fork is from. */
  of?: string
  isEarlier?: boolean
}

interface Asking {
  store: GatewayStore
  /** The same request as an earlier version has marked it, for the sessions that it began. */
  earlier: () => Promise<Recognized>
  world: World
  wire: Wire
  model: string
  now: number
  /** A request beside the conversation, or one that only counts: it moves no session. */
  moves: boolean
  /** It was answered some time ago: where the session has gone on since, it begins no other one. */
  isLate?: boolean
  /** Has what is behind of a session written to the store; `false` if it was all there. */
  settled?: (id: string) => Promise<boolean>
  /** How often it may look where a session stands that others move at the same time. */
  tries?: number
}

const mostTries = 5
// No request has so many messages more than the one that it goes on from.
const newestHeads = 1_000

/**
 * Which session a request belongs to: the one whose newest request it goes on from, word for word or
 * by calls that nobody else can have made. Whatever else it has in common with others, it is a
 * session of its own: a fork where it goes on from an older place, else a new one.
 */
export async function identify(known: Recognized, asking: Asking): Promise<Identity | undefined> {
  const { instructions, heads, calls } = known
  const { store, world, wire, model, now, moves, isLate = false, settled, earlier } = asking
  const { tries = mostTries } = asking
  const [head] = heads
  if (head === undefined) return undefined
  const marks = [head, ...calls.slice(0, 1)]
  const request = { marks, at: now }
  const find = async (): Promise<Found | undefined> => {
    const own = await store.find(world, [...heads.slice(0, newestHeads), ...calls])
    if (own?.mark === head && !own.newest) {
      // A history that is run again comes to the places of the run before, and goes on from its own.
      const before = await store.find(world, heads.slice(1, newestHeads))
      if (before?.newest && before.session.instructions === instructions) return before
    }
    if (own) return own
    const before = await earlier()
    return store.find(world, [...before.heads.slice(0, newestHeads), ...before.calls])
  }
  let found = await find()
  // Its newest request may be one that is not written yet.
  if (found && (await settled?.(found.session.id))) found = await find()
  const begun = (id: string): SessionRow => ({
    id,
    world,
    instructions,
    model,
    created: now,
    used: now,
  })
  // Another replica may have moved it on to this very request while the store was looking.
  if (found && !found.newest) found = await find()
  if (!found) {
    if (!moves) return undefined
    const id = nameOf(world, wire.name, head)
    await store.begin(begun(id), request)
    return { id, how: 'new', from: undefined }
  }
  const { session, mark, newest } = found
  const isEarlier = session.instructions !== instructions && isOf(await earlier(), session)
  const same: Identity = { id: session.id, how: 'same', from: mark, isEarlier }
  // Made again, by a client that has heard nothing, or by another replica.
  if (newest && mark === head) return same
  if (!moves) return newest ? same : undefined
  const isSameAgent = session.instructions === instructions || isEarlier
  if (newest && isSameAgent) {
    if (await store.move(session.id, mark, request)) return same
    // Somebody else was faster: with this very request, or with one that it goes on from.
    if (tries > 1) return identify(known, { ...asking, tries: tries - 1 })
  }
  if (isLate) return undefined
  const id = nameOf(world, session.id, head)
  await store.begin(begun(id), request)
  return { id, how: 'fork', from: undefined, of: session.id, isEarlier }
}

function isOf({ instructions }: Recognized, session: SessionRow): boolean {
  return session.instructions === instructions
}

/** The same for everyone who sees the same request: replicas need not agree on it. */
function nameOf(...parts: readonly string[]): string {
  return `gw-${hashOf('session', ...parts).slice(0, 24)}`
}
