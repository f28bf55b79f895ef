import { openHooks, type OpencodeInput } from './v1.ts'

/** Throughline as a plugin of opencode 1, in one file. opencode 2 asks for a `setup`, too. */
const plugin = { id: 'throughline', server: (input: OpencodeInput) => openHooks(input) }

export default plugin
