// Written by `quaid setup opencode`; `quaid setup opencode --remove` takes it away.
import { execFile } from "node:child_process"

const COMMAND = []
const SECONDS = 10

const ask = (event, input) =>
  new Promise((resolve) => {
    const done = (error, out) => {
      try {
        resolve(JSON.parse(out).hookSpecificOutput?.additionalContext ?? "")
      } catch {
        resolve("")
      }
    }
    try {
      const [program, ...words] = [...COMMAND, event]
      const child = execFile(program, words, { timeout: SECONDS * 1000 }, done)
      child.stdin?.on("error", () => {})
      child.stdin?.end(JSON.stringify(input))
    } catch {
      resolve("")
    }
  })

export const Quaid = async ({ directory }) => {
  const known = new Map()
  return {
    "experimental.chat.system.transform": async ({ sessionID = "" }, output) => {
      if (!known.has(sessionID)) {
        known.set(sessionID, ask("session-start", { session_id: sessionID, cwd: directory }))
      }
      const said = await known.get(sessionID)
      if (!said) return
      if (output.system.length) output.system[0] += "\n\n" + said
      else output.system.push(said)
    },
    "experimental.session.compacting": async ({ sessionID = "" }, output) => {
      const said = await ask("pre-compact", { session_id: sessionID, cwd: directory })
      if (said) output.context.push(said)
    },
    event: async ({ event }) => {
      if (event.type === "session.deleted") known.delete(event.properties?.info?.id)
    },
  }
}
