import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Gives all tests of a run one temporary folder, and removes it with all that they left there. */
export function setup(): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'tl-'))
  // Tests that work as another user must get to their own folders in it.
  chmodSync(folder, 0o711)
  process.env['TMPDIR'] = process.env['TEMP'] = process.env['TMP'] = folder
  return () => rmSync(folder, { recursive: true, force: true })
}
