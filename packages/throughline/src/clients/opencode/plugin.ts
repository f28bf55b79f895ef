import { openHooks, type OpencodeInput } from './v1.ts'
import { setup } from './v2/setup.ts'
import type { V2Context } from './v2/host.ts'

/** Throughline as a plugin of opencode: 1 asks for `server`, and 2 for `setup`. */
const plugin = {
  id: 'throughline',
  server: (input: OpencodeInput) => openHooks(input),
  setup: (context: V2Context) => setup(context),
}

export default plugin
