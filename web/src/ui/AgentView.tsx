// The inspector: one agent, first its brain and what it believes beside what is true; what it wants and does is folded.

import { createMemo, For, Index, Show, type JSX } from "solid-js";
import type { Agent, Belief } from "../../pkg/sentir.js";
import { age, degrees, gazed, ground, joined, meters, percent, travelled } from "../model/format.js";
import { BrainFile } from "./BrainFile.js";
import { BrainView } from "./BrainView.js";
import { useStudio } from "./context.js";
import { Icon } from "./Icon.js";
import { Pair, Section } from "./Section.js";

const BELIEFS_MAX = 24;

function BeliefRow(props: { belief: Belief; tick: number }): JSX.Element {
  const studio = useStudio();
  return (
    <tr>
      <td>{props.belief.key === null ? "?" : studio.nameOf(props.belief.key)}</td><td>{ground(props.belief.believed)}</td>
      <td>{props.belief.real === null ? "gone" : ground(props.belief.real)}</td><td>{props.belief.error_m === null ? "–" : `${props.belief.error_m.toFixed(1)} m`}</td>
      <td>{age(props.belief, props.tick, studio.clock.rate)}</td><td>{props.belief.is_vanished ? `${props.belief.source}, not there any more` : props.belief.source}</td>
      <td>{percent(props.belief.confidence)}</td>
    </tr>
  );
}

function Senses(props: { agent: Agent; tick: number }): JSX.Element {
  const studio = useStudio();
  const beliefs = () => props.agent.beliefs;
  const left = () => beliefs().others.length - BELIEFS_MAX;
  return (
    <>
      <Show when={beliefs().others.length > 0} fallback={<p>Knows of nobody.</p>}>
        <div class="wide" tabindex="0" role="group" aria-label="What it believes of others"><table>
          <thead><tr><For each={["who", "believed", "really", "off by", "seen", "source", "sure"]}>{(name) => <th scope="col">{name}</th>}</For></tr></thead>
          <tbody><Index each={beliefs().others.slice(0, BELIEFS_MAX)}>{(belief) => <BeliefRow belief={belief()} tick={props.tick} />}</Index></tbody>
        </table></div>
        <Show when={left() > 0}><p>and {left()} more</p></Show>
      </Show>
      <dl>
        <Pair name="noises heard">{joined(beliefs().noises.slice(0, 4).map(meters), "; ")}</Pair>
        <Show when={beliefs().smells.length > 0}><Pair name="smells">{joined(beliefs().smells.slice(0, 4).map((it) => `${ground(it.position)}, ${percent(it.strength)}, ${((props.tick - it.left_tick) / studio.clock.rate).toFixed(0)} s old`), "; ")}</Pair></Show>
        <Pair name="hurt by">{joined(beliefs().hurts.map((amount) => amount.toFixed(2)))}</Pair>
        <Pair name="messages">{String(beliefs().messages)}</Pair>
        <Show when={beliefs().things.length > 0}><Pair name="things">{joined(beliefs().things.map(({ id, value, source }) => `${id}: ${value} (${source})`))}</Pair></Show>
        <Pair name="outcomes">{joined(beliefs().outcomes, "; ")}</Pair>
      </dl>
    </>
  );
}

function Wants(props: { agent: Agent }): JSX.Element {
  const agent = () => props.agent;
  return (
    <dl>
      <Pair name="to go">{travelled(agent().intents.travel)}</Pair><Pair name="to look">{gazed(agent().intents.gaze)}</Pair><Pair name="to do">{joined(agent().intents.actions)}</Pair>
      <Pair name="stance">{agent().intents.stance}</Pair>
      <Show when={agent().order} fallback={<Pair name="order">none</Pair>}>{(order) => (
        <><Pair name="ordered to go">{travelled(order().travel)}</Pair><Pair name="ordered to look">{gazed(order().gaze)}</Pair><Pair name="ordered to do">{joined(order().actions)}</Pair></>
      )}</Show>
    </dl>
  );
}

function Body(props: { agent: Agent }): JSX.Element {
  const body = () => props.agent.body;
  const motion = () => props.agent.motion;
  return (
    <dl>
      <Pair name="position, m">{meters(body().position)}</Pair><Pair name="speed">{body().speed_m_per_s.toFixed(2)} m/s</Pair><Pair name="faces">{degrees(body().yaw)}</Pair>
      <Pair name="health">{percent(body().health)}</Pair><Pair name="stance">{body().stance}</Pair><Pair name="team, squad">{props.agent.team}, {props.agent.squad}</Pair>
      <Pair name="speed asked for">{Math.hypot(...motion().velocity).toFixed(2)} m/s</Pair><Pair name="turns to">{degrees(motion().yaw)}</Pair><Pair name="does">{joined(motion().actions)}</Pair>
    </dl>
  );
}

/** Everybody by name, so that the keyboard reaches all. */
function Chooser(): JSX.Element {
  const studio = useStudio();
  const { state } = studio;
  const isGone = () => state.selected !== null && state.roster.length > 0 && !state.roster.some(({ key }) => key === state.selected);
  return (
    <div id="chooser" role="group" aria-label="Selected agent">
      <button id="who-before" aria-label="Agent before" title="Agent before (<)" onClick={() => studio.selectBy(-1)}><Icon name="left" /></button>
      <select id="who" aria-label="Selected agent" onChange={(event) => studio.select(event.currentTarget.value === "" ? null : Number(event.currentTarget.value))}>
        <option value="" selected={state.selected === null}>nobody</option>
        <Show when={isGone()}><option value={state.selected ?? ""} selected>{studio.nameOf(state.selected ?? 0)} (not there)</option></Show>
        <For each={state.roster}>{(one) => <option value={one.key} selected={one.key === state.selected}>{studio.nameOf(one.key)}</option>}</For>
      </select>
      <button id="who-after" aria-label="Next agent" title="Next agent (>)" onClick={() => studio.selectBy(1)}><Icon name="right" /></button>
      <Show when={state.selected !== null}>
        <button id="watch-follow" aria-label="Follow it" title="Follow it (V)" onClick={() => studio.look("follow")}><Icon name="follow" /></button>
        <button id="watch-eyes" aria-label="Look out of its eyes" title="Look out of its eyes (I)" onClick={() => studio.look("eyes")}><Icon name="eyes" /></button>
      </Show>
    </div>
  );
}

export function AgentView(): JSX.Element {
  const studio = useStudio();
  const { state } = studio;
  const agent = createMemo(() => (state.agent !== null && state.agent.key === state.selected ? state.agent : undefined));
  const tick = () => state.figures?.tick ?? 0;
  const missing = () => (state.selected === null ? "Click somebody, or choose above, to look into an agent." : `${studio.nameOf(state.selected)} is not there at ${studio.seconds(tick())}.`);
  return (
    <>
      <Chooser />
      <div id="agent">
        <Show when={agent()} fallback={<p class="soft">{missing()}</p>}>{(it) => (
          <>
            <Show when={it().brain}>{(brain) => <Section id="part-brain" title={<>Brain <span class="soft">{brain().name}, {brain().kind}</span></>}><BrainView brain={brain()} /></Section>}</Show>
            <BrainFile />
            <Section id="part-senses" title="Senses and beliefs"><Senses agent={it()} tick={tick()} /></Section>
            <Section id="part-wants" title="Wants and orders" isOpen={false}><Wants agent={it()} /></Section>
            <Section id="part-body" title="Body" isOpen={false}><Body agent={it()} /></Section>
          </>
        )}</Show>
      </div>
    </>
  );
}
