import { expect, test } from 'vitest'
import { rivalAmong } from './settings.ts'

test.each([
  ['@tarquinen/opencode-dcp@3.1.14', 'DCP'],
  ['opencode-acp', 'ACP'],
  ['@cortexkit/magic-context@latest', 'magic-context'],
  ['billion-context', 'billion-context'],
  ['headroom-opencode@0.3.0', 'Headroom'],
  ['headroom', 'Headroom'],
  ['@morphllm/morph-plugin', 'Morph compact'],
  ['opencode-sleev@1.0.0', 'Sleev'],
])('the plugin %s is known as %s', (plugin, name) => {
  expect(rivalAmong(['opencode-copilot-auth@1.0.0', plugin])).toBe(name)
})

test('other plugins are not', () => {
  expect(rivalAmong(['opencode-dcpx', '@me/sleeves', 'file:///home/me/headrooms.ts'])).toBe(
    undefined,
  )
})
