import type { Seq } from '../../../log/entry.ts'

/**
 * A name in the input of a call was written by the agent and will be written again; a name in an
 * output was only seen. Measured on real sessions (`npm run bench:fidelity`): a factor of three is
 * too little when space is short, and beyond six nothing changes.
 */
const weightOfCall = 6

/**
 * After this share of the session, a fact is worth half. The result is the same anywhere between a
 * quarter and a half.
 */
const halfLife = 1 / 3

/** The focus that the caller asked for outweighs any age within a session. */
const focusFactor = 10

/** Weighs facts by use, by age, and by the caller's focus. */
export interface Worth {
  ofUse: (uses: { calls: number; mentions: number; lastSeq: Seq }) => number
  /** Falls from 1 to ⅛ over the session. */
  ofAge: (seq: Seq) => number
  /** Falls from 1 to ½ over the session: what was said early still holds, mostly. */
  ofTime: (seq: Seq) => number
  ofFocus: (text: string) => number
  /** Whether the focus makes any difference. */
  hasFocus: boolean
}

export function worthIn({ seq, focus }: { seq: Seq; focus: string | undefined }): Worth {
  const span = Math.max(seq * halfLife, 1)
  const wanted = focusWords(focus)
  const ofAge = (age: Seq): number => 0.5 ** (Math.max(seq - age, 0) / span)
  const ofFocus = (text: string): number => {
    if (wanted.length === 0) return 1
    const lower = text.toLowerCase()
    return wanted.some((word) => lower.includes(word)) ? focusFactor : 1
  }
  return {
    ofAge,
    ofTime: (time) => (1 + Math.min(time / Math.max(seq, 1), 1)) / 2,
    ofFocus,
    hasFocus: wanted.length > 0,
    ofUse: ({ calls, mentions, lastSeq }) => (weightOfCall * calls + mentions) * ofAge(lastSeq),
  }
}

/**
 * Words of four or more letters, because shorter ones occur inside too many others. In other
 * scripts, all words.
 */
function focusWords(focus: string | undefined): string[] {
  const words = (focus ?? '').toLowerCase().match(/[\p{L}\p{N}_./@-]+/gu) ?? []
  return words.filter((word) => word.length >= 4 || /[^\p{ASCII}]/u.test(word))
}
