import { hosts } from './words/hosts.ts'
import { localServers } from './words/local-servers.ts'
import { makers } from './words/makers.ts'
import type { OverflowWords } from './words/overflow-words.ts'

/** Every provider's words. To add one, add a line to a table: its test is the line itself. */
export const overflowWords: readonly OverflowWords[] = [...makers, ...hosts, ...localServers]
