import { EventEmitter } from 'node:events'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { beforeEach, expect, type MockInstance, test, vi } from 'vitest'
import { CALLS } from '../../contract/api.ts'
import { readEnv } from '../env.ts'
import { Problem } from '../problem.ts'
import { admit } from './admission.ts'
import { boundConnections } from './connections.ts'

const VISITOR = '192.0.2.7'
const ENV = readEnv({})

/** Moved by hand: no server works in this process. */
let clock: MockInstance<typeof performance.now>
beforeEach(() => {
  clock = vi.spyOn(performance, 'now').mockReturnValue(1_000)
})

function bounded(trustProxy: string[] | false = false) {
  const server = new EventEmitter()
  const { refuse } = boundConnections(server as Server, { ...ENV, trustProxy })
  const open: EventEmitter[] = []
  /** Whether a connection of this address stays. */
  const connects = (remoteAddress?: string) => {
    const socket = Object.assign(new EventEmitter(), { remoteAddress, destroy: vi.fn() })
    server.emit('connection', socket)
    const stays = socket.destroy.mock.calls.length === 0
    if (stays) open.push(socket)
    return stays
  }
  return { refuse, connects, closeOne: () => open.shift()?.emit('close') }
}

test('connections of a refused address are closed for two seconds, which nothing makes longer', () => {
  const { refuse, connects } = bounded()
  refuse(VISITOR)
  expect(connects('192.0.2.8'), 'of another address').toBe(true)
  clock.mockReturnValue(2_900)
  expect(connects(VISITOR)).toBe(false)
  refuse(VISITOR)
  clock.mockReturnValue(3_100)
  expect(connects(VISITOR)).toBe(true)
})

test('of one address there may be 320 connections at once, and of a proxy of ours more', () => {
  const { connects, closeOne } = bounded(['loopback'])
  const stay = (address: string) => Array.from({ length: 330 }, () => connects(address)).filter(Boolean)
  expect(stay(VISITOR)).toHaveLength(320)
  expect(stay('127.0.0.1')).toHaveLength(330)
  expect(connects('192.0.2.8')).toBe(true)
  expect(connects(undefined), 'reset before it was accepted').toBe(false)
  closeOne()
  expect(stay(VISITOR), 'in the place of one that has closed').toHaveLength(1)
})

/** A busy address, at which nothing is served but what players are exempt for. */
function busy() {
  const server = new EventEmitter()
  const routing = vi.fn()
  server.on('request', routing)
  const addHook = vi.fn()
  const refuse = vi.fn()
  admit({ server, routing, addHook } as unknown as FastifyInstance, {
    env: ENV,
    connections: { refuse, charge: () => true },
    limits: {
      take() {
        throw new Problem('too_many_requests')
      },
    },
    securityLog: { refused: vi.fn() },
  })
  const { method, url } = CALLS.startRound
  const socket = { remoteAddress: VISITOR }
  const start = { method, url, headers: { cookie: 'taps-player=somebody' }, socket } as IncomingMessage
  return {
    routing,
    refuse,
    sendGarbage: () => server.emit('clientError', new Error('Parse Error'), socket),
    /** A Start of the player is answered. */
    serveStart() {
      const request = { raw: start, routeOptions: { config: { call: CALLS.startRound } } }
      const [, answered] = addHook.mock.calls[0] ?? []
      answered(request as unknown as FastifyRequest, { statusCode: 201 } as FastifyReply, () => undefined)
    },
    /** What is said to the player's next request before anything else looks at it. */
    ask(path: string = url) {
      const response = { writeHead: vi.fn(), end: vi.fn() }
      server.emit('request', { ...start, url: path }, response as unknown as ServerResponse)
      return response.writeHead.mock.calls[0]
    },
  }
}

test('a player is let in at a busy address for a minute after a Start that was served, and no longer', () => {
  const { routing, serveStart, ask } = busy()
  serveStart()
  clock.mockReturnValue(60_000)
  expect(ask()).toBeUndefined()
  expect(routing).toHaveBeenCalledOnce()
  clock.mockReturnValue(62_000)
  expect(ask()).toEqual([429, expect.anything()])
  expect(routing).toHaveBeenCalledOnce()
})

test('the connection of a player survives one refusal after a Start that was served', () => {
  const { serveStart, ask } = busy()
  serveStart()
  expect(ask('/')?.[1]).not.toContain('close')
  expect(ask('/')?.[1]).toContain('close')
})

test('a busy address that sends what cannot be parsed gets no further connection', () => {
  const { refuse, sendGarbage } = busy()
  sendGarbage()
  expect(refuse).toHaveBeenCalledWith(VISITOR)
})
