import { nameOf, objectsOf, type Fields } from '../../json/fields.ts'

/**
 * What OpenHands looked up and told the model: the workspace, the repository's rules, notes
 * that a word of the user's called for. Its own words for it are not recorded.
 */
export function recallText(extras: Fields): string {
  const texts = [
    named('Repository', extras['repo_name'] ?? extras['repo_directory']),
    named('Working directory', extras['working_dir']),
    nameOf(extras['repo_instructions']),
    nameOf(extras['additional_agent_instructions']),
    nameOf(extras['conversation_instructions']),
    named('Date', extras['date']),
    ...objectsOf(extras['microagent_knowledge']).map(({ content }) => nameOf(content)),
  ]
  return texts.filter((text) => text !== undefined).join('\n\n')
}

function named(name: string, value: unknown): string | undefined {
  const text = nameOf(value)
  return text === undefined ? undefined : `${name}: ${text}`
}
