import { attributeName } from '../render/summary-block.ts'
import type { Ref } from '../../log/entry.ts'

/** The seeds' placeholder (T9). */
export const barePlaceholder = '<tool-output-compacted />'

/**
 * Replaces a tool's output. It names the tool, the size, the ref that reads the output back, and
 * the recall tool if the model has one.
 * @example
 * placeholder({ tool: 'Read', bytes: 1200, ref: '7.0' })
 * // '<tool-output-compacted tool="Read" bytes="1200" ref="7.0" />'
 */
export function placeholder({
  tool,
  bytes,
  ref,
  recallTool,
}: {
  tool: string
  bytes: number
  ref: Ref
  recallTool?: string | undefined
}): string {
  const reader = recallTool === undefined ? '' : ` read-with="${attributeName(recallTool)}"`
  return `<tool-output-compacted tool="${attributeName(tool)}" bytes="${bytes}" ref="${ref}"${reader} />`
}

/** The UTF-8 length of a text, without encoding it; half a pair is written as three bytes. */
export function utf8Bytes(text: string): number {
  let bytes = 0
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code < 0x80) bytes += 1
    else if (code < 0x800) bytes += 2
    else if ((code & 0xfc00) === 0xd800 && (text.charCodeAt(index + 1) & 0xfc00) === 0xdc00) {
      bytes += 4
      index++
    } else bytes += 3
  }
  return bytes
}
