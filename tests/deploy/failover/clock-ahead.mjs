// Loaded before a program (`--import`), gives it a clock that is an hour ahead of the machine's.

const AHEAD_MS = 3_600_000
const { now } = Date

Date.now = () => now() + AHEAD_MS
globalThis.Date = new Proxy(Date, {
  construct: (target, parameters, made) =>
    Reflect.construct(target, parameters.length > 0 ? parameters : [target.now()], made),
})
