import { attributeName } from '../../compaction/render/summary-block.ts'
import type { Passage } from './passage.ts'

const tag = 'recalled'

/**
 * A passage as a model reads it: between tags that say where it is from. Its own tags inside
 * are escaped, so that no text can step out.
 */
export function wrap(passage: Passage): string {
  const attributes = attributesOf(passage).map(([name, value]) => ` ${name}="${value}"`)
  return `<${tag}${attributes.join('')}>\n${escapeTag(passage.text)}\n</${tag}>`
}

function attributesOf({ ref, who, what, tool, did, at, text, start, length }: Passage) {
  const end = start + text.length
  const partly = start > 0 || end < length
  const attributes: [name: string, value: string | undefined][] = [
    ['ref', ref],
    ['who', who],
    ['what', what],
    ['tool', tool === undefined ? undefined : attributeName(tool)],
    ['did', did],
    ['at', timeOf(at)],
    ['characters', partly ? `${start}-${end} of ${length}` : undefined],
  ]
  return attributes.filter((each): each is [string, string] => each[1] !== undefined)
}

/** `undefined` of what is no time: formats without one say 0. */
function timeOf(at: number): string | undefined {
  const time = new Date(at)
  return at > 0 && Number.isFinite(time.getTime()) ? time.toISOString() : undefined
}

function escapeTag(text: string): string {
  return text.replace(/<([\s/]*recalled)/gi, '&lt;$1')
}
