import { blocksOf } from '../../wires/anthropic/write-blocks.ts'
import { lenientWriting } from '../../wires/reading.ts'
import { partsOf, type Message } from '../../log/message.ts'
import { plainMessage } from '../api-written.ts'
import type { Fields } from '../../json/fields.ts'

/** The content of a message as blocks of the Anthropic API, for a harness that keeps such blocks. */
export function anthropicBlocks(message: Message): Fields[] {
  return partsOf(plainMessage(message)).flatMap((part) => blocksOf(part, '', lenientWriting))
}
