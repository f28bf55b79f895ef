import { aider } from '../aider/format.ts'
import { aiderTranscript } from '../aider/sample.ts'
import { aiSdk } from '../ai-sdk/format.ts'
import { anthropic } from '../anthropic/format.ts'
import { claudeCode } from '../claude-code/format.ts'
import { cline } from '../cline/format.ts'
import { cn } from '../cn/format.ts'
import { codex } from '../codex/format.ts'
import { copilotCli } from '../copilot-cli/format.ts'
import { geminiCli } from '../gemini-cli/format.ts'
import { kimiCode } from '../kimi-code/format.ts'
import { openaiChat } from '../openai-chat/format.ts'
import { openaiResponses } from '../openai-responses/format.ts'
import { opencode } from '../opencode/format.ts'
import { opencodeV2 } from '../opencode-v2/format.ts'
import { openhands } from '../openhands/format.ts'
import { pi } from '../pi/format.ts'
import { qwenCode } from '../qwen-code/format.ts'
import { sweAgent } from '../swe-agent/format.ts'
import { throughline } from '../throughline/format.ts'
import { aiSdkMessages, aiSdkUiMessages } from './samples/ai-sdk.ts'
import { anthropicMessages } from './samples/anthropic.ts'
import { claudeCodeRecords } from '../claude-code/sample.ts'
import { clineSession } from '../cline/sample.ts'
import { cnSession } from '../cn/sample.ts'
import { codexRecords } from '../codex/sample.ts'
import { copilotCliEvents } from '../copilot-cli/sample.ts'
import { geminiCliDocument, geminiCliLines } from '../gemini-cli/sample.ts'
import { kimiCliMessages, kimiCodeRecords } from '../kimi-code/sample.ts'
import { openaiChatMessages } from './samples/openai-chat.ts'
import { openaiResponsesItems } from './samples/openai-responses.ts'
import { opencodeExport, opencodeMessages } from '../opencode/sample.ts'
import { opencodeV2Export } from '../opencode-v2/sample.ts'
import { openhandsEvents, openhandsSdkEvents } from '../openhands/sample.ts'
import { piEntries } from '../pi/sample.ts'
import { qwenCodeRecords } from '../qwen-code/sample.ts'
import { miniSweAgentRun, sweAgentRun } from '../swe-agent/sample.ts'
import { throughlineLines } from '../throughline/sample.ts'
import type { FormatSample } from '../../testing/conformance/format-conformance.ts'

/** Sessions of every format, with records of every kind. */
export const samples: readonly (FormatSample & { name: string })[] = [
  { name: 'throughline', format: throughline, records: throughlineLines },
  { name: 'claude-code', format: claudeCode, records: claudeCodeRecords },
  { name: 'codex', format: codex, records: codexRecords },
  { name: 'opencode', format: opencode, records: opencodeExport },
  { name: 'opencode, a list of messages', format: opencode, records: opencodeMessages },
  {
    name: 'opencode-v2',
    format: opencodeV2,
    records: opencodeV2Export,
    recordOf: (messages) => ({ info: { id: 'ses_1', location: { directory: '/' } }, messages }),
  },
  { name: 'pi', format: pi, records: piEntries },
  { name: 'copilot-cli', format: copilotCli, records: copilotCliEvents },
  { name: 'gemini-cli', format: geminiCli, records: geminiCliDocument },
  { name: 'gemini-cli, lines', format: geminiCli, records: geminiCliLines },
  { name: 'qwen-code', format: qwenCode, records: qwenCodeRecords },
  { name: 'kimi-code', format: kimiCode, records: kimiCodeRecords },
  { name: 'kimi-code, of Kimi CLI', format: kimiCode, records: kimiCliMessages },
  {
    name: 'cn',
    format: cn,
    records: cnSession,
    recordOf: (history) => ({ sessionId: 's', title: 't', workspaceDirectory: '/', history }),
  },
  {
    name: 'cline',
    format: cline,
    records: clineSession,
    recordOf: (messages) => ({ version: 1, updated_at: '', agent: 'lead', messages }),
  },
  { name: 'openhands', format: openhands, records: openhandsEvents },
  { name: 'openhands since version 1', format: openhands, records: openhandsSdkEvents },
  { name: 'openhands, a run', format: openhands, records: [{ history: openhandsEvents }] },
  {
    name: 'swe-agent',
    format: sweAgent,
    records: sweAgentRun,
    recordOf: (history) => ({ environment: 'x', trajectory: [], history }),
  },
  { name: 'swe-agent, mini', format: sweAgent, records: miniSweAgentRun },
  { name: 'aider', format: aider, records: aiderTranscript.split('\n') },
  { name: 'ai-sdk', format: aiSdk, records: aiSdkMessages },
  { name: 'ai-sdk, user interface', format: aiSdk, records: aiSdkUiMessages },
  { name: 'anthropic', format: anthropic, records: anthropicMessages },
  { name: 'openai-responses', format: openaiResponses, records: openaiResponsesItems },
  { name: 'openai-chat', format: openaiChat, records: openaiChatMessages },
]
