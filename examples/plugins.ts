import {
  CompactionVetoedError,
  definePlugin,
  memoryStore,
  openSession,
  type Plugin,
} from 'throughline'

/** The plugin of docs/plugins.md. `release` says whether a release is in progress. */
export function releasePlugin(release: { running: boolean; log: string[] }): Plugin {
  // page: begin
  const releases = definePlugin({
    name: 'releases',
    // The checklist is instructions to the agent: its output is never pruned.
    protectedTools: ['release_checklist'],
    // Tells Throughline what this tool does to files.
    lenses: [
      {
        tools: ['bump_version'],
        read: ({ input }) => [{ type: 'edit', path: (input as { file: string }).file }],
      },
    ],
    // One more section, after those of the active template.
    sections: [{ heading: 'Releases', guide: 'Which versions were released, and what failed.' }],
    beforeCompact: ({ plan, log }) => {
      if (release.running && plan.trigger === 'manual') return { veto: 'a release is running' }
      // The latest release stays in the context word for word.
      const last = log.findLast(
        (entry) => entry.kind === 'message' && JSON.stringify(entry.message).includes('released '),
      )
      return last && { keep: [last.seq] }
    },
    // The plugin's own section comes last, so this line ends up there.
    afterSummary: ({ summary }) => `${summary}\n- The registry is read-only on Sundays.`,
    onEvent: (event) => {
      if (event.type === 'compaction-finished') release.log.push(`now ${event.report.after} tokens`)
    },
  })
  // page: end
  return releases
}

if (process.argv[1] === import.meta.filename) {
  const release = { running: true, log: [] as string[] }
  const plugins = [releasePlugin(release)]
  const store = memoryStore()
  const session = await openSession({ store, id: 'a', window: { context: 32_000 }, plugins })
  await session.say('Release 1.2.0.')
  for (let step = 1; step <= 40; step++) {
    await session.append({
      kind: 'message',
      at: Date.now(),
      origin: 'model',
      message: { role: 'assistant', content: `Step ${step}. `.repeat(200) },
    })
  }
  try {
    await session.compact()
  } catch (error) {
    if (!CompactionVetoedError.isInstance(error)) throw error
    console.log(`While the release runs, the plugin refuses: ${error.message}`)
  }
  release.running = false
  await session.compact()
  console.log(`After it, the session is compacted, and the plugin is told: ${release.log.join()}`)
  const { summary = '' } = session.context().checkpoint ?? {}
  console.log(
    `The summary ends with the plugin's own section:\n\n${summary.slice(summary.indexOf('## Releases'))}`,
  )
}
