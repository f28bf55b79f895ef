import { extend } from './extension.ts'
import type { PiApi } from './api.ts'

/** Throughline as pi's extension, in one file. */
export default function throughline(pi: PiApi): void {
  extend(pi)
}
