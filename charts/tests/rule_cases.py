"""What Prometheus has stored when an alert of the rules should fire, and when it should not."""

from dataclasses import dataclass, field, replace

from rendering import SERVICES

BROWSER = "http_server_request_duration_seconds{}{{http_route='/api/v1/businesses/{{business_id}}/services',{}}}"
TOOL = "frontdesk_voice_tool_duration_seconds{}{{gen_ai_tool_name='hold_slot',{}}}"
BOOK = (
    "rpc_client_call_duration_seconds_count{{rpc_method='frontdesk.scheduling.v1.AppointmentService/BookAppointment',"
    "rpc_response_status_code='{}'}}"
)


def requests(good, bad):
    return {BROWSER.format("_count", "http_response_status_code='200'"): good} | {
        BROWSER.format("_count", "http_response_status_code='503'"): bad
    }


IMPORT = BROWSER.replace("/services", "/imports/{{import_id}}:check")


def slow_requests(good, bad):
    """A check of an import takes as long as the file is long: it is not held to the objective."""
    return {
        IMPORT.format("_count", "http_response_status_code='200'"): good,
        BROWSER.format("_count", "http_response_status_code='200'"): good + bad,
        BROWSER.format("_bucket", "http_response_status_code='200',le='0.5'"): good,
    }


def slow_tools(good, bad):
    """Prometheus 3 writes the bound of a scraped bucket as 1.0."""
    return {TOOL.format("_count", "outcome='OK'"): good + bad, TOOL.format("_bucket", "outcome='OK',le='1.0'"): good}


def excuses(good, bad):
    return {
        TOOL.format("_count", "outcome='SLOT_TAKEN'"): good,
        TOOL.format("_bucket", "outcome='SLOT_TAKEN',le='1'"): good,
        TOOL.format("_count", "outcome='UNAVAILABLE'"): bad,
        TOOL.format("_bucket", "outcome='UNAVAILABLE',le='1'"): bad,
    }


def failed_deliveries(good, bad):
    route = "http_route='/api/webhooks/voice/{platform}/{connection_id}'"
    return slow_tools(good, 0) | {
        f"http_server_request_duration_seconds_count{{{route},http_response_status_code='500'}}": bad
    }


def histogram(name, bound):
    def series(good, bad):
        return {f"{name}_count{{}}": good + bad, f"{name}_bucket{{le='{bound}'}}": good}

    series.__name__ = f"{name} within {bound}"
    return series


def series(good, bad):
    """A series, a change and a hold are bookings, too; a look at free times is none."""
    method = BOOK.replace("AppointmentService/BookAppointment", "{}")
    return {
        method.format("SeriesService/BookSeries", "OK"): good / 2,
        method.format("AvailabilityService/CreateHold", "OK"): good / 2,
        method.format("AppointmentService/ChangeAppointment", "INTERNAL"): bad,
        method.format("AvailabilityService/SearchAvailability", "INTERNAL"): good,
    }


def bookings(good, bad):
    # What is taken, or refused to an employee, is no fault.
    return {BOOK.format("OK"): good / 2, BOOK.format("ALREADY_EXISTS"): good / 2, BOOK.format("UNAVAILABLE"): bad}


# How good and bad events of each objective look, so many a minute; the alert; the budget.
OBJECTIVES = [
    (requests, "BrowserErrorBudgetBurns", 0.001),
    (slow_requests, "BrowserLatencyBudgetBurns", 0.01),
    (slow_tools, "VoiceToolBudgetBurns", 0.01),
    (excuses, "VoiceToolBudgetBurns", 0.01),
    (failed_deliveries, "VoiceToolBudgetBurns", 0.01),
    (histogram("frontdesk_availability_duration_seconds", "0.1"), "SearchLatencyBudgetBurns", 0.01),
    (bookings, "BookingErrorBudgetBurns", 0.001),
    (series, "BookingErrorBudgetBurns", 0.001),
    (histogram("frontdesk_calendar_lag_seconds", "60"), "CalendarLagBudgetBurns", 0.01),
    (histogram("frontdesk_calendar_lag_seconds", "60.0"), "CalendarLagBudgetBurns", 0.01),
    (histogram("frontdesk_outbox_lag_seconds", "2.5"), "EventLagBudgetBurns", 0.01),
]


@dataclass
class Case:
    """Series, and which alerts fire at a time; those not named are silent."""

    name: str
    series: dict
    at: str
    firing: set = field(default_factory=set)
    about: set = field(default_factory=set)
    every: str = "5m"

    def __post_init__(self):
        self.about = self.about or self.firing


def minutes(per_minute, count):
    return f"0+{per_minute}x{count}"


def burning():
    """Each objective at several rates: what pages, what makes a ticket, what does neither."""
    for make, alert, budget in OBJECTIVES:
        name = f"{alert}-{make.__name__}"
        both = {(alert, "page"), (alert, "ticket")}

        def at(factor, make=make, budget=budget, total=1000):
            bad = total * budget * factor
            return make(total - bad, bad)

        def steady(factor, at=at):
            return {series: minutes(rate, 400) for series, rate in at(factor).items()}

        calm = at(0)
        hour = {s: f"{minutes(calm[s], 300)} {300 * calm[s]}+{rate}x100" for s, rate in at(20).items()}
        yield Case(f"{name}: 20 times too fast, for an hour", hour, "6h", both)
        yield Case(f"{name}: 8 times, for hours", steady(8), "6h", both)
        yield Case(f"{name}: twice makes a ticket", steady(2), "6h", {(alert, "ticket")}, both)
        yield Case(f"{name}: half of what is allowed", steady(0.5), "6h", about=both)
        # One bad event within the hour is a great share of few, and no reason to wake a person.
        few = {series: f"0+0x10 {1 if rate else 0}+0x400" for series, rate in make(0, 1).items()}
        yield Case(f"{name}: one unlucky visitor", few, "30m", about=both)
        over = {series: f"{minutes(rate, 60)} {60 * rate}+0x60" for series, rate in make(800, 200).items()}
        yield Case(f"{name}: over for 45 minutes", over, "1h45m", {(alert, "ticket")}, both)


USED = "db_client_connection_{}{{service_name='auth',service_instance_id='{}',db_client_connection_pool_name='auth'{}}}"


def pool(used):
    return {
        USED.format("count", "a", ",db_client_connection_state='used'"): f"{used}+0x30",
        USED.format("count", "a", ",db_client_connection_state='idle'"): f"{16 - used}+0x30",
        USED.format("max", "a", ""): "16+0x30",
        USED.format("count", "b", ",db_client_connection_state='used'"): "0+0x30",
        USED.format("max", "b", ""): "16+0x30",
    }


def once(name, **labels):
    """A counter that begins at 0 and counts one thing after five minutes."""
    inner = ",".join(f"{key}='{value}'" for key, value in labels.items())
    return {f"{name}{{{inner}}}": "0+0x4 1+0x30"}


def sign_ins(**per_minute):
    return {
        f"frontdesk_auth_sign_ins_total{{outcome='{outcome}'}}": minutes(rate, 30)
        for outcome, rate in per_minute.items()
    }


def deliveries(rejected, answered):
    route = "http_route='/api/webhooks/voice/{platform}/{connection_id}'"
    return {
        "frontdesk_voice_signature_rejected_total{frontdesk_voice_platform='retell',reason='wrong'}": minutes(
            rejected, 30
        ),
        f"http_server_request_duration_seconds_count{{{route},http_response_status_code='401'}}": minutes(rejected, 30),
        f"http_server_request_duration_seconds_count{{{route},http_response_status_code='200'}}": minutes(answered, 30),
        TOOL.format("_count", "outcome='OK'"): minutes(answered, 30),
        TOOL.format("_bucket", "outcome='OK',le='1'"): minutes(answered, 30),
    }


def calendars(failed, done, refused=0):
    counter = "frontdesk_calendar_operations_total{{direction='{}',outcome='{}'}}"
    outcomes = {"failed": failed, "done": done, "refused": refused}
    return {
        counter.format(way, outcome): minutes(rate, 90)
        for way in ("read", "write")
        for outcome, rate in outcomes.items()
        if way == "write" or outcome != "refused"
    }


def waiting(*replicas):
    """For how long the oldest work is due, as each replica measures it."""
    oldest = "frontdesk_calendar_oldest_seconds{{direction='read',service_instance_id='{}'}}"
    return {oldest.format(number): samples for number, samples in enumerate(replicas)}


def model(failed, replied):
    return {
        "frontdesk_voice_model_failures_total{reason='silent'}": minutes(failed, 60),
        "frontdesk_voice_model_first_token_seconds_count{}": minutes(replied, 60),
    }


def publications(failed, arrived):
    name = "frontdesk_agent_publications_total{{frontdesk_voice_platform='vapi',outcome='{}'}}"
    return {name.format("UNREACHABLE"): minutes(failed, 150), name.format("OK"): minutes(arrived, 150)}


def recordings(failed, done, given_up=0):
    counter = "frontdesk_recordings_tasks_total{{task='{}',outcome='{}'}}"
    outcomes = {"done": done, "failed": failed, "given_up": given_up}
    return {
        counter.format(task, outcome): minutes(rate, 200)
        for task in ("copy", "delete")
        for outcome, rate in outcomes.items()
        if task == "copy" or outcome != "given_up"
    }


def checks(failed, complete):
    name = "frontdesk_voice_call_checks_total{{frontdesk_voice_platform='retell',outcome='{}'}}"
    return {name.format("platform"): minutes(failed, 150), name.format("complete"): minutes(complete, 150)}


def cache(error, hit):
    return {
        f"frontdesk_cache_operations_total{{service_name='tenancy',frontdesk_cache_result='{result}'}}": minutes(
            rate, 40
        )
        for result, rate in (("error", error), ("hit", hit))
    }


def certificate(days):
    return {
        "frontdesk_tls_certificate_not_after_seconds{service_name='auth',service_instance_id='a'}": f"{days * 86400}+0x40",
        "frontdesk_tls_certificate_not_after_seconds{service_name='auth',service_instance_id='b'}": f"{40 * 86400}+0x40",
    }


def told(*absent):
    """What each program tells from its start on."""
    found = {f"db_client_connection_max{{service_name='{name}'}}": "16+0x40" for name in SERVICES}
    for name in ("frontdesk_door_refusal_lost_total", "frontdesk_voice_signature_rejected_total"):
        found[f"{name}{{service_name='bff'}}"] = "0+0x40"
    return {series: samples for series, samples in found.items() if not any(name in series for name in absent)}


def faults():
    pools = {("ConnectionPoolExhausted", "page"), ("ConnectionPoolExhausted", "ticket")}
    timeouts = {"service_name": "auth", "db_client_connection_pool_name": "auth"}
    yield Case("most connections are used", pool(15), "10m", {("ConnectionPoolExhausted", "ticket")}, pools)
    yield Case("half of the connections are used", pool(8), "10m", about=pools)
    late = once("db_client_connection_timeouts_total", **timeouts)
    yield Case("a call got no connection", late, "8m", {("ConnectionPoolExhausted", "page")}, pools)
    yield Case("no more calls wait", late, "20m", about=pools)

    deadlock = once("frontdesk_database_collisions_total", **timeouts, db_response_status_code="40P01")
    yield Case("a deadlock", deadlock, "6m", {("Deadlocks", "ticket")})
    overlap = once("frontdesk_database_collisions_total", **timeouts, db_response_status_code="23P01")
    yield Case("a taken time", overlap, "6m", about={("Deadlocks", "ticket")})

    follower = {"service_name": "scheduling", "follower": "scheduling", "source": "tenancy"}
    yield Case(
        "an event is parked", once("frontdesk_outbox_parked_total", **follower), "6m", {("EventsParked", "ticket")}
    )
    none = {f"frontdesk_outbox_parked_total{{follower='{name}'}}": "0+0x30" for name in ("a", "b")}
    yield Case("no event is parked", none, "20m", about={("EventsParked", "ticket")})
    connected = (
        "frontdesk_outbox_connected{{service_name='scheduling',follower='f',source='tenancy',service_instance_id='{}'}}"
    )
    away = {connected.format("a"): "1+0x4 0+0x20", connected.format("b"): "0+0x30"}
    yield Case("no replica follows", away, "12m", {("EventsNotFollowed", "page")})
    yield Case("they connect again", away, "8m", about={("EventsNotFollowed", "page")})
    one = {connected.format("a"): "1+0x30", connected.format("b"): "0+0x30"}
    yield Case("one replica follows", one, "20m", about={("EventsNotFollowed", "page")})

    fail = {("CalendarsFail", "ticket")}
    yield Case("calendars fail", calendars(5, 1), "80m", fail)
    yield Case("no calendar was ever read or written", calendars(5, 0), "80m", fail)
    yield Case("all writes are refused", calendars(0, 0, refused=5), "80m", fail)
    yield Case("calendars fail for a while", calendars(5, 1), "20m", about=fail)
    yield Case("calendars fail now and then", calendars(1, 5), "80m", about=fail)
    # Hundreds of calendars are read and say nothing new; one salon withdrew access.
    yield Case("one calendar fails in a quiet night", calendars(0.1, 500), "80m", about=fail)
    yield Case("no calendar is connected", calendars(0, 0), "80m", about=fail)

    stand = {("CalendarsWait", "page")}
    yield Case("calendars wait for a worker", waiting("0+60x40", "0+60x40"), "15m", stand)
    yield Case("one replica sees it", waiting("0+0x40", "0+60x40"), "15m", stand)
    yield Case("calendars wait for moments", waiting("5+0x40", "200+0x40"), "30m", about=stand)

    stuffing = {("SignInsFail", "page")}
    yield Case("leaked passwords are tried", sign_ins(refused=30, blocked=10, opened=1), "15m", stuffing)
    yield Case("Monday morning", sign_ins(refused=20, blocked=0, opened=60), "15m", about=stuffing)
    yield Case("a night with one wrong password", sign_ins(refused=0.1, blocked=0, opened=0), "15m", about=stuffing)
    stolen = {("SessionsRevoked", "ticket")}
    yield Case("old tokens are presented", {"frontdesk_auth_sessions_revoked_total{}": minutes(0.2, 60)}, "40m", stolen)
    yield Case("one old token", once("frontdesk_auth_sessions_revoked_total"), "20m", about=stolen)

    signatures = {("SignaturesRejected", "ticket"), ("SignaturesRejected", "page")}
    yield Case("forged deliveries", deliveries(5, 50), "15m", {("SignaturesRejected", "ticket")}, signatures)
    yield Case("a changed secret", deliveries(5, 0), "20m", signatures)
    yield Case("a stray delivery", deliveries(0.1, 50), "20m", about=signatures)

    lost = {("RefusalsLost", "ticket")}
    yield Case("a refusal is lost", once("frontdesk_door_refusal_lost_total"), "6m", lost)
    yield Case("no refusal is lost", {"frontdesk_door_refusal_lost_total{}": "0+0x30"}, "20m", about=lost)

    ends = {("CertificateExpires", "ticket"), ("CertificateExpires", "page")}
    yield Case("a certificate ends in days", certificate(5), "15m", {("CertificateExpires", "ticket")}, ends)
    yield Case("a certificate ends within the day", certificate(0.5), "15m", ends)
    yield Case("a certificate ends in weeks", certificate(15), "15m", about=ends)

    stuck = {("MailQueueStuck", "page")}
    yield Case("mail is stuck", {"frontdesk_auth_mails_oldest_seconds{}": minutes(60, 60)}, "25m", stuck)
    slow = {"frontdesk_auth_mails_oldest_seconds{}": "0+60x10 600+0x40"}
    yield Case("mail is slow", slow, "25m", about=stuck)

    overdue = {("ErasuresOverdue", "ticket")}
    yield Case("an erasure hangs", {"frontdesk_erasures_overdue{}": "1+0x60"}, "25m", overdue)
    yield Case("every erasure ends", {"frontdesk_erasures_overdue{}": "0+0x60"}, "25m", about=overdue)

    fails = {("ModelFails", "page")}
    yield Case("the model fails", model(5, 10), "25m", fails)
    yield Case("the model fails now and then", model(1, 20), "25m", about=fails)
    yield Case("the model fails in a quiet hour", model(0.2, 0.5), "25m", about=fails)
    unpublished = {("PublicationsFail", "ticket")}
    yield Case("publishing fails", publications(0.5, 0), "2h", unpublished)
    yield Case("publishing fails sometimes", publications(0.2, 1), "2h", about=unpublished)
    unkept = {("RecordingsFail", "ticket")}
    yield Case("recordings are neither copied nor deleted", recordings(2, 0), "3h", unkept)
    yield Case("recordings are given up", recordings(0, 0.2, given_up=1), "3h", unkept)
    yield Case("recordings fail now and then", recordings(0.2, 2), "3h", about=unkept)
    yield Case("recordings fail for half an hour", recordings(2, 0), "30m", about=unkept)
    yield Case("no call is recorded", recordings(0, 0), "3h", about=unkept)
    uncompared = {("CallsNotCompared", "ticket")}
    yield Case("calls are not compared", checks(0.5, 0), "2h", uncompared)
    yield Case("calls are compared late", checks(0.2, 1), "2h", about=uncompared)
    lost = "frontdesk_voice_lost_calls_total{frontdesk_voice_platform='retell',outcome='taken'}"
    yield Case("webhooks are lost", {lost: minutes(0.2, 90)}, "80m", {("WebhooksLost", "ticket")})
    yield Case("a webhook is lost", {lost: minutes(0.05, 90)}, "80m", about={("WebhooksLost", "ticket")})
    yield Case("the cache fails", cache(5, 10), "25m", {("CacheFails", "ticket")})
    yield Case("the cache fails once", cache(0.1, 10), "25m", about={("CacheFails", "ticket")})

    silent = {("TelemetryAbsent", "page")}
    yield Case("all send", told(), "15m", about=silent)
    for name in [*SERVICES, "refusal_lost", "signature_rejected"]:
        yield Case(f"{name} sends nothing", told(name), "15m", silent)


CASES = [*burning(), *(replace(case, every="1m") for case in faults())]
