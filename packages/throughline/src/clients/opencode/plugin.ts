import { openHooks, type OpencodeInput } from './v1.ts'

/**
 * Throughline as opencode's plugin, in one file for both of its generations: opencode 1 calls
 * `server`, opencode 2 `setup`.
 */
const plugin = { id: 'throughline', server: (input: OpencodeInput) => openHooks(input) }

export default plugin
