import buttonResponse from '@jspsych/plugin-html-button-response'
import { initJsPsych } from 'jspsych'

globalThis.results = []

/** The press of Start ends one trial and begins the next, whose response time is the interval to Stop. */
const start = { type: buttonResponse, stimulus: '', choices: ['Start'] }
const stop = {
  type: buttonResponse,
  stimulus: '',
  choices: ['Stop'],
  on_finish: ({ rt }) => globalThis.results.push(rt),
}

initJsPsych({ display_element: 'display' }).run([{ timeline: [start, stop], loop_function: () => true }])
