import { harnesses } from '../harnesses.ts'
import type { Format } from '../format.ts'
import type { FormatWriter } from '../writing/format-writer.ts'

/** Every writer, and the format that reads back what it wrote. */
export const writers: readonly { writer: FormatWriter; format: Format }[] = [...harnesses]
