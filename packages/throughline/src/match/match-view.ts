import type { KnownPart } from './known-view.ts'
import type { HostPart } from './host-array.ts'
import type { Seq } from '../log/entry.ts'

/** How far the host's array matches what we know. */
export interface Match {
  /** Nothing that we know is missing: everything else in the array is new. */
  whole: boolean
  /** How many of the host's parts are known. */
  length: number
  /**
   * The known counterpart of each of the host's parts, as far as they match; reasoning may have
   * none.
   */
  sources: readonly (KnownPart | undefined)[]
  /** The known items that the host doesn't have, from the first difference on. */
  missing: readonly KnownPart[]
}

/** How far the two were compared while neither was at its end. */
interface Walk {
  host: readonly HostPart[]
  sources: (KnownPart | undefined)[]
  index: number
}

const walks = new WeakMap<readonly KnownPart[], Walk>()

/**
 * Compares both for as long as they say the same; if both have only grown, it continues from the
 * last comparison.
 */
export function matchView(host: readonly HostPart[], known: readonly KnownPart[]): Match {
  const walk = walked(host, known)
  let { sources, index }: { sources: (KnownPart | undefined)[]; index: number } = walk
  // Here the host's array ends, or the two differ.
  if (sources.length === host.length) while (known[index]?.optional) index += 1
  const whole = index === known.length
  // What was compared goes on with the next array.
  if (whole && isOptionalNext(host, sources.length)) {
    sources = sources.slice()
    skipOptional(host, sources)
  }
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

/** Of two matches, the one that covers more of the host's array. */
export function farther(one: Match, other: Match): Match {
  if (other.length !== one.length) return other.length > one.length ? other : one
  return other.whole && other.length > 0 ? other : one
}

/** Reasoning that follows known parts in the same message is known too. */
function skipOptional(host: readonly HostPart[], sources: (KnownPart | undefined)[]): void {
  while (isOptionalNext(host, sources.length)) sources.push(undefined)
}

function isOptionalNext(host: readonly HostPart[], length: number): boolean {
  const next = host[length]
  return next?.optional === true && next.at === host[length - 1]?.at
}

/** The newest entry of which the host only has our summary. */
export function summarizedUpTo({ sources }: Match): Seq {
  return sources.reduce((newest, source) => Math.max(newest, source?.under ?? 0), 0)
}
