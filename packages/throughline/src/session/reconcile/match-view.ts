import type { KnownPart } from './known-view.ts'
import type { Seq } from '../../log/entry.ts'

/** A part that a host has. */
export interface HostPart {
  key: number
  optional: boolean
  /** Which message it is of. */
  at: number
}

/** How far what a host has is what we know. */
export interface Match {
  /** Nothing that we know is missing: whatever else the host has is new. */
  whole: boolean
  /** How many of the host's parts are known. */
  length: number
  /** What each of the host's parts is to us, as far as it is known; reasoning may be nothing. */
  sources: readonly (KnownPart | undefined)[]
  /** What the host does not have, from where it differs on. */
  missing: readonly KnownPart[]
}

/** How far both were gone along, while neither was at its end. */
interface Walk {
  host: readonly HostPart[]
  sources: (KnownPart | undefined)[]
  index: number
}

const walks = new WeakMap<readonly KnownPart[], Walk>()

/** Goes along both as far as they say the same: where both have only grown, from where it was. */
export function matchView(host: readonly HostPart[], known: readonly KnownPart[]): Match {
  const walk = walked(host, known)
  const sources = walk.sources.slice()
  let { index } = walk
  // Here the host is at its end, or both differ.
  if (sources.length === host.length) while (known[index]?.optional) index += 1
  const whole = index === known.length
  if (whole) skipOptional(host, sources)
  return {
    whole,
    length: sources.length,
    sources,
    missing: known.slice(index),
  }
}

function walked(host: readonly HostPart[], known: readonly KnownPart[]): Walk {
  let walk = walks.get(known)
  if (walk?.host !== host) walks.set(known, (walk = { host, sources: [], index: 0 }))
  const { sources } = walk
  while (walk.index < known.length && sources.length < host.length) {
    const ours = known[walk.index] as KnownPart
    const theirs = host[sources.length] as HostPart
    if (theirs.key === ours.key) {
      sources.push(ours)
      walk.index += 1
    } else if (ours.optional) {
      walk.index += 1
    } else if (theirs.optional) {
      sources.push(undefined)
    } else {
      break
    }
  }
  return walk
}

/** The one of two that knows more of what the host has. */
export function farther(one: Match, other: Match): Match {
  if (other.length !== one.length) return other.length > one.length ? other : one
  return other.whole && other.length > 0 ? other : one
}

/** Reasoning behind what is known, in the same message, is known too. */
function skipOptional(host: readonly HostPart[], sources: (KnownPart | undefined)[]): void {
  for (;;) {
    const before = host[sources.length - 1]
    const next = host[sources.length]
    if (!next?.optional || next.at !== before?.at) return
    sources.push(undefined)
  }
}

/** The newest entry of which a host knows no more than our summary. */
export function summarizedUpTo({ sources }: Match): Seq {
  return sources.reduce((newest, source) => Math.max(newest, source?.under ?? 0), 0)
}
