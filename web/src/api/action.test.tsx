// @vitest-environment jsdom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, renderHook } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { AppointmentService } from '../gen/frontdesk/scheduling/v1/appointment_service_pb';
import { CallService } from '../gen/frontdesk/telemetry/v1/call_pb';
import { EmployeeService } from '../gen/frontdesk/tenancy/v1/employee_pb';
import { ApiError } from '../http/errors';
import type { Outgoing } from '../http/transport';

const api = vi.hoisted(() => vi.fn<(request: Outgoing) => Promise<unknown>>());
vi.mock('../session/current', () => ({ api }));

const { intend, useAction, useSending, useUnderWay } = await import('./action');

const input = { businessId: 'b1', appointmentId: 'a1' };
const unreachable = () => new ApiError('', { kind: 'unreachable' });
const keys = () => api.mock.calls.map(([request]) => request.headers?.['Idempotency-Key']);

function render<T>(hook: () => T) {
  const client = new QueryClient();
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={client}>{children}</QueryClientProvider>
  );
  return renderHook(hook, { wrapper }).result;
}

function mount() {
  const onDone = vi.fn();
  const onRefused = vi.fn();
  const method = AppointmentService.method.cancelAppointment;
  return { result: render(() => useAction(method, { onDone, onRefused })), onDone, onRefused };
}

beforeEach(() => {
  vi.useFakeTimers();
  api.mockReset();
});

afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

describe('a change', () => {
  it('keeps its key while the network makes it repeat', async () => {
    api.mockRejectedValueOnce(unreachable()).mockResolvedValueOnce({ appointment: { id: 'a1' } });
    const { result, onDone } = mount();
    act(() => result.current.act(input));
    await act(() => vi.advanceTimersByTimeAsync(5000));
    expect(onDone).toHaveBeenCalledTimes(1);
    const [first, second] = keys();
    expect(first).toMatch(/^[0-9a-f-]{36}$/);
    expect(second).toBe(first);
  });

  it('is not repeated where its method takes no key: what was done could be done twice', async () => {
    const lost = unreachable();
    api.mockRejectedValue(lost);
    const onRefused = vi.fn();
    const result = render(() => useAction(CallService.method.takeOverCall, { onRefused }));
    act(() => result.current.act({ businessId: 'b1', callId: 'c1' }));
    await act(() => vi.advanceTimersByTimeAsync(60_000));
    expect(api).toHaveBeenCalledTimes(1);
    expect(onRefused.mock.calls[0]?.[0]).toBe(lost);
    await expect(intend(CallService.method.takeOverCall, { businessId: 'b1', callId: 'c1' })).rejects.toBe(
      lost,
    );
    expect(api).toHaveBeenCalledTimes(2);
  });

  it('is the same intention when its person repeats it after its answer was lost', async () => {
    api.mockRejectedValue(unreachable());
    const { result } = mount();
    act(() => result.current.act(input));
    await act(() => vi.advanceTimersByTimeAsync(60_000));
    act(() => result.current.act(input));
    await act(() => vi.advanceTimersByTimeAsync(60_000));
    expect(keys()).toHaveLength(6);
    expect(new Set(keys()).size).toBe(1);
    act(() => result.current.act({ ...input, appointmentId: 'a2' }));
    await act(() => vi.advanceTimersByTimeAsync(60_000));
    expect(new Set(keys()).size).toBe(2);
  });

  it('is begun once by a double click, and again once it is done or another one came in between', async () => {
    api.mockResolvedValue({ appointment: { id: 'a1' } });
    const { result, onDone } = mount();
    const other = { ...input, appointmentId: 'a2' };
    act(() => {
      for (const one of [input, input, other, other, input]) result.current.act(one);
    });
    await act(() => vi.advanceTimersByTimeAsync(10));
    expect(onDone).toHaveBeenCalledTimes(3);
    act(() => result.current.act(input));
    await act(() => vi.advanceTimersByTimeAsync(10));
    expect(new Set(keys()).size).toBe(4);
  });

  it('is known to all of the screen while it is under way', async () => {
    let answer = (_: unknown) => {};
    api.mockImplementation(() => new Promise((resolve) => (answer = resolve)));
    const { cancelAppointment, moveAppointment } = AppointmentService.method;
    const result = render(() => ({
      change: useAction(cancelAppointment),
      underWay: useUnderWay(cancelAppointment),
      others: useUnderWay(moveAppointment),
    }));
    act(() => result.current.change.act(input));
    await act(() => vi.advanceTimersByTimeAsync(10));
    expect(result.current.underWay).toEqual([input]);
    expect(result.current.others).toEqual([]);
    answer({});
    await act(() => vi.advanceTimersByTimeAsync(10));
    expect(result.current.underWay).toEqual([]);
  });

  it('sent by a form keeps its key until its outcome is known', async () => {
    const create = render(() => useSending(EmployeeService.method.createEmployee)).current;
    const [ana, ben] = ['Ana', 'Ben'].map((name) => ({ businessId: 'b1', name }));
    api.mockRejectedValueOnce(unreachable()).mockResolvedValue({});
    await expect(create(ana ?? {})).rejects.toThrow();
    expect(api).toHaveBeenCalledTimes(1);
    await create(ana ?? {});
    await create(ana ?? {});
    await create(ben ?? {});
    const [lost, again, ...others] = keys();
    expect(again).toBe(lost);
    expect(new Set([lost, ...others]).size).toBe(3);
  });

  it('is another intention once another one succeeded after the answer was lost', async () => {
    const create = render(() => useSending(EmployeeService.method.createEmployee)).current;
    const [ana, ben] = ['Ana', 'Ben'].map((name) => ({ businessId: 'b1', name }));
    api.mockRejectedValueOnce(unreachable()).mockResolvedValue({});
    await expect(create(ana ?? {})).rejects.toThrow();
    await create(ben ?? {});
    await create(ana ?? {});
    expect(new Set(keys()).size).toBe(3);
  });

  it('is another intention a minute after the answer was lost', async () => {
    const create = render(() => useSending(EmployeeService.method.createEmployee)).current;
    const ana = { businessId: 'b1', name: 'Ana' };
    api.mockRejectedValue(unreachable());
    await expect(create(ana)).rejects.toThrow();
    vi.advanceTimersByTime(59_999);
    await expect(create(ana)).rejects.toThrow();
    expect(new Set(keys()).size).toBe(1);
    vi.advanceTimersByTime(60_000);
    await expect(create(ana)).rejects.toThrow();
    expect(new Set(keys()).size).toBe(2);
  });

  it('keeps its key outside components too, and ends with what was refused', async () => {
    api.mockRejectedValueOnce(unreachable()).mockResolvedValueOnce({ appointment: { id: 'a1' } });
    const done = intend(AppointmentService.method.cancelAppointment, input);
    await vi.advanceTimersByTimeAsync(5000);
    expect((await done).appointment?.id).toBe('a1');
    expect(new Set(keys()).size).toBe(1);
    const refused = new ApiError('', {
      kind: 'refused',
      status: 409,
      reason: 'STALE',
      metadata: {},
      violations: [],
    });
    api.mockReset();
    api.mockRejectedValue(refused);
    await expect(intend(AppointmentService.method.cancelAppointment, input)).rejects.toBe(refused);
    expect(api).toHaveBeenCalledTimes(1);
  });

  it('gets a new key for each new attempt of the user', async () => {
    api.mockResolvedValue({});
    const { result } = mount();
    act(() => result.current.act(input));
    await act(() => vi.advanceTimersByTimeAsync(10));
    act(() => result.current.act(input));
    await act(() => vi.advanceTimersByTimeAsync(10));
    expect(new Set(keys()).size).toBe(2);
  });

  it('is not repeated once the door has decided', async () => {
    const refused = new ApiError('', {
      kind: 'refused',
      status: 409,
      reason: 'WRONG_STATE',
      metadata: {},
      violations: [],
    });
    api.mockRejectedValue(refused);
    const { result, onRefused } = mount();
    act(() => result.current.act(input));
    await act(() => vi.advanceTimersByTimeAsync(60_000));
    expect(api).toHaveBeenCalledTimes(1);
    expect(onRefused.mock.calls[0]?.[0]).toBe(refused);
  });
});
